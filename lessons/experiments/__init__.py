"""The runs behind the labs: functions of a seed that execute the engine and return plain figures."""
