namespace espalier::comm {}
