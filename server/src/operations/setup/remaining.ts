// What is left for the operator after `setup`: DNS records, copies of secrets, and the start. Pure.

import type { KeptSetting } from './env-file.ts'

type Remaining = Readonly<{
  isEdge: boolean
  /** Of the records to create; with a port or without. */
  names: readonly string[]
  edgeAddresses: readonly string[]
  secretsFolder: string
  kept: readonly KeptSetting[]
  hasSystemd: boolean
}>

export function leftToDo({ isEdge, names, edgeAddresses, secretsFolder, kept, hasSystemd }: Remaining): string {
  const records = names
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
    ...(isEdge ? ofEdge : ofService(secretsFolder, hasSystemd)),
  ].join('\n')
}

const ofEdge = [
  '- Add these addresses to EDGE_ADDRESSES where `serve` and `work` run. There, `petstore edges list` shows this edge.',
  '- Then: petstore doctor',
]

const ofService = (secretsFolder: string, hasSystemd: boolean) => [
  `- Copy ${secretsFolder} to a place off this machine. CERTIFICATE_KEYS is in no backup of the database: without it`,
  '  every certificate has to be issued again. Copy backups as well, and set TOMBSTONES_DIRECTORY to a folder elsewhere.',
  hasSystemd
    ? '- Start it: systemctl enable --now petstore && systemctl restart caddy'
    : '- systemd is not installed here, so no units were installed. Start it: petstore start, and caddy with its file.',
  '- Then: petstore doctor, and petstore accounts invite with your address.',
]
