#!/bin/sh
# One monitor, one OSD in memory, and the gateway, for the account of AWS_ACCESS_KEY_ID. It listens once that may call.
set -eu
mkdir -p /run/ceph /var/lib/ceph/mon/ceph-a /var/lib/ceph/osd/ceph-0
monmaptool --create --add a 127.0.0.1 --fsid "$(sed -n 's/^fsid = //p' /etc/ceph/ceph.conf)" /tmp/monmap
ceph-mon --mkfs --id a --monmap /tmp/monmap
ceph-mon --id a --public-addr 127.0.0.1
ceph osd create
ceph-osd --id 0 --mkfs
ceph osd crush add osd.0 1 root=default
ceph-osd --id 0
until ceph osd stat | grep -q '1 up'; do sleep 0.2; done
radosgw-admin user create --uid=tests --display-name=Tests \
  --access-key="$AWS_ACCESS_KEY_ID" --secret-key="$AWS_SECRET_ACCESS_KEY"
exec radosgw --foreground --name client.rgw.tests
