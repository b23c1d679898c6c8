"""The runs behind the labs: functions of a seed that run the engine and return plain figures."""
