#!/bin/sh
# Every part in the background; the proxy is what clients talk to.
chown swift:swift /srv/node/disk
memcached -d -u nobody -l 127.0.0.1
for part in account container object; do
  "swift-$part-server" "/etc/swift/$part-server.conf" &
done
python3 /make-bucket.py &
exec swift-proxy-server /etc/swift/proxy-server.conf
