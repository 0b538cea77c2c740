// What is left for the operator after `setup`: DNS records, copies of secrets, and the start. Pure.

import type { KeptSetting } from './env-file.ts'

type Remaining = Readonly<{
  address: string
  sites: string
  edgeAddresses: readonly string[]
  secretsFolder: string
  kept: readonly KeptSetting[]
  hasSystemd: boolean
}>

export function leftToDo({ address, sites, edgeAddresses, secretsFolder, kept, hasSystemd }: Remaining): string {
  const records = [address, `*.${sites}`]
    .map((name) => name.replace(/:\d+$/, ''))
    .flatMap((name) => edgeAddresses.map((at) => `  ${name}. ${at.includes(':') ? 'AAAA' : 'A'} ${at}`))
  return [
    '',
    'Left to do:',
    ...kept.map(
      ({ name, value, requested }) =>
        `- ${name} stays ${value}; edit the configuration file if it is to be ${requested}.`,
    ),
    ...(records.length > 0
      ? ['- Create these DNS records:', ...records]
      : ['- This machine has no public address. Run setup again with --addresses, then create DNS records.']),
    `- Copy ${secretsFolder} to a place off this machine. CERTIFICATE_KEYS is in no backup of the database: without it`,
    '  every certificate has to be issued again. Copy backups as well, and set TOMBSTONES_DIRECTORY to a folder elsewhere.',
    hasSystemd
      ? '- Start it: systemctl enable --now petstore && systemctl restart caddy'
      : '- systemd is not installed here, so no units were installed. Start it: petstore start, and caddy with its file.',
    '- Then: petstore doctor, and petstore accounts invite with your address.',
  ].join('\n')
}
