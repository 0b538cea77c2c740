// `npm run world -- zone <zone> show|set|add|remove …`: acts as the registrar or the DNS
// provider in the test internet that runs in another terminal (`npm run world`).

import { run } from './processes.ts'
import { addressOf, type KnotRole } from './roles.ts'
import { readState, type WorldState } from './state.ts'
import { forgetAt } from './unbound.ts'
import { updater } from './update.ts'
import { parseZoneCommand, usage } from './zone-command.ts'

const print = (text: string): void => void process.stdout.write(`${text}\n`)

async function edit(
  state: WorldState,
  zone: string,
  roles: readonly KnotRole[],
  words: readonly string[],
): Promise<number> {
  const command = parseZoneCommand(zone, words)
  if (command.kind === 'mistake') return fail(command.say)
  if (command.kind === 'edit') {
    const update = updater(state.port, state.updateKeyFile)
    await Promise.all(roles.map((role) => update(zone, role, command.edit)))
    await Promise.all(state.forgetsAfterEdits.map(forgetAt))
    print(command.done)
    return 0
  }
  const texts = await Promise.all(roles.map((role) => show(state, zone, role)))
  for (const [index, role] of roles.entries()) {
    if (index > 0 && texts[index] === texts[0]) print(`${role} (${addressOf[role]}) has the same.`)
    else print(`${role} (${addressOf[role]}):\n${texts[index]}`)
  }
  return 0
}

/** Without the records of signing. */
async function show({ port, updateKeyFile }: WorldState, zone: string, role: KnotRole): Promise<string> {
  const all = await run('dig', [
    `@${addressOf[role]}`,
    '-p',
    `${port}`,
    '-k',
    updateKeyFile,
    zone,
    'AXFR',
    '+noall',
    '+answer',
    '+onesoa',
  ])
  const lines = all
    .split('\n')
    .filter(
      (line) =>
        line !== '' && !line.startsWith(';') && !/\s(RRSIG|NSEC|NSEC3|DNSKEY|CDS|CDNSKEY|TSIG|TYPE65534)\s/.test(line),
    )
  return lines.map((line) => `  ${line.replaceAll(/\s+IN\s+/g, ' ').replaceAll('\t', ' ')}`).join('\n')
}

function fail(text: string): number {
  process.stderr.write(`${text}\n`)
  return 1
}

export async function runZone([typed, ...words]: readonly string[]): Promise<number> {
  if (typed === undefined || typed === '--help') return fail(usage)
  const state = readState()
  if (state === null) return fail('No world runs. Start one in another terminal: npm run world')
  const zone = typed.toLowerCase().replace(/\.$/, '')
  const roles = state.zones.find((one) => one.zone === zone)?.roles ?? []
  if (roles.length === 0) {
    const names = state.zones
      .filter((one) => one.roles.length > 0)
      .map((one) => one.zone)
      .filter((name) => name.includes('.') && !/\.(hostile|rude)\.test$/.test(name))
    return fail(`There is no zone ${zone} to edit. There are: ${names.join(', ')}.`)
  }
  try {
    return await edit(state, zone, roles, words)
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error))
  }
}
