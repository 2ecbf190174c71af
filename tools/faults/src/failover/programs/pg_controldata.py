#!/usr/bin/python3
"""Prints what Patroni reads of a control file of Postgres 18, as pg_controldata does."""

import struct
import sys

STATES = [
    "starting up",
    "shut down",
    "shut down in recovery",
    "shutting down",
    "in crash recovery",
    "in archive recovery",
    "in production",
]


def read(path):
    with open(path, "rb") as file:
        data = file.read()

    def field(form, offset):
        return struct.unpack_from("=" + form, data, offset)[0]

    def position(offset):
        lsn = field("Q", offset)
        return "%X/%X" % (lsn >> 32, lsn & 0xFFFFFFFF)

    version = field("I", 8)
    if version != 1800:
        sys.exit("pg_controldata: version %d of the control file is unknown" % version)
    return {
        "pg_control version number": version,
        "Database system identifier": field("Q", 0),
        "Database cluster state": STATES[field("I", 16)],
        "Latest checkpoint location": position(32),
        "Latest checkpoint's REDO location": position(40),
        "Latest checkpoint's TimeLineID": field("I", 48),
        "Latest checkpoint's PrevTimeLineID": field("I", 52),
        "Minimum recovery ending location": position(136),
        "Min recovery ending loc's timeline": field("I", 144),
        "Backup start location": position(152),
        "Backup end location": position(160),
        "wal_log_hints setting": "on" if field("?", 176) else "off",
        "max_connections setting": field("i", 180),
        "max_worker_processes setting": field("i", 184),
        "max_wal_senders setting": field("i", 188),
        "max_prepared_xacts setting": field("i", 192),
        "max_locks_per_xact setting": field("i", 196),
    }


for name, value in read(sys.argv[-1] + "/global/pg_control").items():
    print("%-37s %s" % (name + ":", value))
