#!/usr/bin/python3
"""Creates a standby from the files of the primary, which is on the same machine, as pg_basebackup does."""

import argparse
import os
import shutil

import psycopg2

SKIPPED = {"postmaster.pid", "postmaster.opts", "pg_replslot", "pg_notify", "pg_stat_tmp", "patroni.dynamic.json"}

parser = argparse.ArgumentParser()
parser.add_argument("--datadir", required=True)
parser.add_argument("--connstring", required=True)
target = parser.parse_known_args()[0]


def copy_file(source, destination):
    # Postgres removes files while they are copied; the log of the backup says so too.
    try:
        shutil.copy2(source, destination)
    except FileNotFoundError:
        pass


# Patroni names the password's file in the environment.
connection = psycopg2.connect(target.connstring, dbname="postgres")
connection.autocommit = True
with connection.cursor() as cursor:
    cursor.execute("select pg_backup_start('standby', fast => true)")
    cursor.execute("show data_directory")
    source = cursor.fetchone()[0]
    shutil.copytree(
        source,
        target.datadir,
        symlinks=True,
        copy_function=copy_file,
        ignore=lambda _directory, names: SKIPPED.intersection(names),
        dirs_exist_ok=True,
    )
    cursor.execute("select labelfile from pg_backup_stop(wait_for_archive => false)")
    label = cursor.fetchone()[0]
connection.close()

for name in ("pg_replslot", "pg_notify", "pg_stat_tmp"):
    os.makedirs(os.path.join(target.datadir, name), mode=0o700, exist_ok=True)
with open(os.path.join(target.datadir, "backup_label"), "w") as file:
    file.write(label)
os.chmod(target.datadir, 0o700)
