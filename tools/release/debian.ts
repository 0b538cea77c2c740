// The Debian packages in the image, pinned in image/debian.lock by version and digest. They are unpacked, not
// installed: none of their scripts runs.

import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { digestOf } from './archive.ts'
import { run } from './run.ts'

export type DebianPackage = { name: string; version: string; sha256: string }

const line = /^([a-z\d][a-z\d+.-]+) (\S+) ([\da-f]{64})$/

/** Of each line `name version digest`; lines that start with # are comments. */
export function readDebianLock(text: string): DebianPackage[] {
  const lines = text.split('\n').filter((one) => one !== '' && !one.startsWith('#'))
  return lines.map((one) => {
    const [, name, version, sha256] = line.exec(one) ?? []
    if (!name || !version || !sha256) throw new Error(`image/debian.lock: not a package: ${one}`)
    return { name, version, sha256 }
  })
}

/** Below `folder` for those that are downloaded. */
export async function unpackDebian(packages: readonly DebianPackage[], folder: string, rootfs: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  mkdirSync(rootfs, { recursive: true })
  for (const { name, version, sha256 } of packages) {
    download(folder, `${name}=${version}`)
    const file = downloaded(folder, name)
    if ((await digestOf(file)) !== sha256) throw new Error(`${name} ${version} has another digest than the pinned one.`)
    run('dpkg-deb', ['--extract', file, rootfs])
  }
}

/** The lock with the versions that Debian has now. */
export async function refreshedLock(text: string, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  const comments = text.split('\n').filter((one) => one.startsWith('#'))
  const lines: string[] = []
  for (const { name } of readDebianLock(text)) {
    download(folder, name)
    const file = downloaded(folder, name)
    const version = run('dpkg-deb', ['--field', file, 'Version']).output.trim()
    lines.push(`${name} ${version} ${await digestOf(file)}`)
  }
  return [...comments, ...lines, ''].join('\n')
}

// As root, apt-get would download as a user that may not write here.
const download = (folder: string, what: string) =>
  run('apt-get', ['download', '-qq', '-o', 'APT::Sandbox::User=root', what], { cwd: folder })

function downloaded(folder: string, name: string): string {
  const [file] = globSync(join(folder, `${name}_*.deb`))
  if (file === undefined) throw new Error(`${name} was not downloaded.`)
  return file
}

/** What the scripts of the packages would have made, and the account that the image runs as. */
export function completeRootfs(rootfs: string): void {
  const certificates = globSync(join(rootfs, 'usr/share/ca-certificates/mozilla/*.crt')).sort()
  const files: Readonly<Record<string, string>> = {
    'etc/passwd': 'root:x:0:0:root:/:/nonexistent\npetstore:x:65532:65532:Petstore:/var/lib/petstore:/nonexistent\n',
    'etc/group': 'root:x:0:\npetstore:x:65532:\n',
    'etc/nsswitch.conf': 'hosts: files dns\n',
    'etc/ssl/certs/ca-certificates.crt': certificates.map((file) => readFileSync(file, 'utf8')).join(''),
  }
  for (const folder of ['etc/ssl/certs', 'etc/petstore', 'proc', 'sys', 'dev', 'tmp', 'run']) {
    mkdirSync(join(rootfs, folder), { recursive: true })
  }
  for (const [path, text] of Object.entries(files)) writeFileSync(join(rootfs, path), text)
  run('chmod', ['1777', join(rootfs, 'tmp')])
}
