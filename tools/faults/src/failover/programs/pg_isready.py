#!/usr/bin/python3
"""Tells by its exit code whether a Postgres accepts connections, as pg_isready does."""

import argparse
import socket
import struct
import sys

ACCEPTS, REJECTS, NO_RESPONSE = 0, 1, 2
CANNOT_CONNECT_NOW = b"C57P03\0"

parser = argparse.ArgumentParser(add_help=False)
for name in ("-h", "-p", "-d", "-U"):
    parser.add_argument(name)
options = parser.parse_args()

parameters = b"user\0%s\0database\0%s\0\0" % (options.U.encode(), options.d.encode())
startup = struct.pack("!II", len(parameters) + 8, 196608) + parameters
try:
    with socket.create_connection((options.h, int(options.p)), timeout=3) as connection:
        connection.sendall(startup)
        response = connection.recv(4096)
except OSError:
    sys.exit(NO_RESPONSE)
if not response:
    sys.exit(NO_RESPONSE)
sys.exit(REJECTS if CANNOT_CONNECT_NOW in response else ACCEPTS)
