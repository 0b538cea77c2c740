// Changes a running zone by RFC 2136, from lines of a zone file. The key is new for every test
// internet and is stored in a file that only its owner can read; it is never an argument of a
// command, where every user of the machine could read it.

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { putFile, run } from './processes.ts'
import { question, type ScriptedAnswer } from './dns-query.ts'
import { addressOf, type KnotRole } from './roles.ts'

/** `remove` takes `shop`, `shop A` or `shop A 192.0.2.1`. */
export type Edit = { add?: readonly string[]; remove?: readonly string[] }

export function writeUpdateKey(directory: string): { file: string; secret: string } {
  const secret = randomBytes(32).toString('base64')
  const file = join(directory, 'update.key')
  putFile(file, `key "update" { algorithm hmac-sha256; secret "${secret}"; };\n`)
  return { file, secret }
}

/** Resolves when the server has accepted the change; otherwise rejects with the server's message. */
export function updater(port: number, keyFile: string) {
  return async (zone: string, role: KnotRole, { add = [], remove = [] }: Edit): Promise<void> => {
    const lines = [
      `server ${addressOf[role]} ${port}`,
      `zone ${zone}.`,
      ...remove.map((line) => `update delete ${absolute(line, zone, false)}`),
      ...add.map((line) => `update add ${absolute(line, zone, true)}`),
      'send',
    ]
    try {
      await run('nsupdate', ['-k', keyFile], `${lines.join('\n')}\n`)
    } catch (error) {
      throw new Error(`${addressOf[role]} did not take the change of ${zone}: ${wordsOf(error)}`, { cause: error })
    }
    for (const line of add) await refuseIgnored(absolute(line, zone, true), addressOf[role], port)
  }
}

/** A server silently drops what cannot coexist with a CNAME (RFC 2136, 3.4.2.2); here that is an error. */
async function refuseIgnored(line: string, address: string, port: number): Promise<void> {
  const [name = '', , type = ''] = line.split(' ')
  const query = { address, port, name: name.slice(0, -1), type: 'CNAME' as const }
  let answer: ScriptedAnswer | null = null
  // On a busy machine an answer may come late, which proves nothing about the record.
  for (let tries = 0; answer === null && tries < 8; tries += 1) answer = await question(query)
  if (answer === null) throw new Error(`${address} does not say whether it has taken "${line}".`)
  const hasAlias = (answer.answers ?? []).some((record) => record.type === 'CNAME')
  if (hasAlias !== (type === 'CNAME'))
    throw new Error(`"${line}" was left out: a name with a CNAME can have no other record.`)
}

const wordsOf = (error: unknown): string => String((error as { stderr?: string }).stderr ?? error).trim()

const types = /^(A|AAAA|CNAME|NS|TXT|SOA|CAA|DS|DNSKEY|MX|DNAME|SRV|HTTPS|SVCB|TYPE\d+)$/i
const pattern = /^(?<name>\S+)(?:\s+(?<ttl>\d+))?(?:\s+IN)?(?:\s+(?<type>[A-Za-z]+\d*)(?:\s+(?<data>.*))?)?$/

/** nsupdate needs absolute names and a TTL: `shop CNAME x` becomes `shop.<zone>. 5 CNAME x.<zone>.` */
export function absolute(line: string, zone: string, isAdd: boolean): string {
  const { name = '@', ttl = '5', type = '', data = '' } = pattern.exec(line.trim())?.groups ?? {}
  if ((isAdd || type !== '') && !types.test(type))
    throw new Error(`"${line}" has no type of record that the world knows.`)
  const parts = [whole(name, zone), isAdd ? ttl : '', type.toUpperCase(), targetOf(type, data, zone)]
  return parts.filter((part) => part !== '').join(' ')
}

const whole = (name: string, zone: string): string =>
  name === '@' ? `${zone}.` : name.endsWith('.') ? name : `${name}.${zone}.`

/** As in a zone file, a target without a last dot is inside the zone. */
function targetOf(type: string, data: string, zone: string): string {
  if (!/^(CNAME|NS|DNAME|MX)$/i.test(type) || data === '') return data
  const words = data.trim().split(/\s+/)
  return [...words.slice(0, -1), whole(words.at(-1) ?? '', zone)].join(' ')
}
