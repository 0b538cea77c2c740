// The programs that the test internet runs, and the Debian packages that they come from.

import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Debian installs daemons outside the PATH of an ordinary user. */
export const SEARCH_PATH = `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/bin:/sbin:/bin`

const dns = {
  setpriv: 'util-linux',
  knotd: 'knot',
  keymgr: 'knot',
  knotc: 'knot',
  unbound: 'unbound',
  nsupdate: 'bind9-dnsutils',
  dig: 'bind9-dnsutils',
}
/** With a store there are a certificate authority and a web server as well. */
const store = { ...dns, pebble: 'pebble', caddy: 'caddy', openssl: 'openssl' }
/** What builds a release and shows that it works. */
const ship = {
  ...store,
  mmdebstrap: 'mmdebstrap',
  buildah: 'buildah',
  'docker-compose': 'docker-compose',
  'systemd-analyze': 'systemd',
  ip: 'iproute2',
}
const programs = { dns, store, ship }

/** What has to be installed first; empty if everything is there. */
export function missingPackages(what: keyof typeof programs, path: string = SEARCH_PATH): string[] {
  const folders = path.split(':')
  const missing = Object.entries(programs[what]).filter(
    ([name]) => !folders.some((folder) => existsSync(join(folder, name))),
  )
  return [...new Set(missing.map(([, from]) => from))]
}

/** Names the package to install, instead of failing later with an obscure error. */
export function requirePrograms(what: keyof typeof programs): void {
  const missing = missingPackages(what)
  if (missing.length === 0) return
  const command = `apt-get install --no-install-recommends ${missing.join(' ')}`
  throw new Error(`${what === 'ship' ? 'This program' : 'The world'} needs ${missing.join(', ')} on Linux: ${command}`)
}
