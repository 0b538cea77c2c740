// `npm run world -- owner add|show|verify|watch|primary|redirect|remove|history|list …`: acts as
// the owner of the store in the test internet that runs in another terminal (`npm run world`).

import type {
  Domain,
  DomainEvent,
  DomainRemoval,
  DomainSettings,
  DomainSummary,
} from '@petstore-platform/contract/platform/domain-shapes'
import {
  domainText,
  historyText,
  listText,
  parseOwnerCommand,
  removalText,
  type OwnerCommand,
} from './owner-command.ts'
import { readState, type WorldState } from './state.ts'

const print = (text: string): void => void process.stdout.write(`${text}\n`)

type Owner = NonNullable<WorldState['owner']>

async function send<T>(owner: Owner, method: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(`${owner.platform}/projects/${owner.slug}/domains${path}`, {
    method,
    headers: { ...owner.headers, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const failure = (await answer.json()) as { code?: string; message?: string }
  if (!answer.ok) throw new Error(`${failure.code}: ${failure.message}`)
  return failure as T
}

async function fulfil(owner: Owner, command: Exclude<OwnerCommand, { kind: 'mistake' }>): Promise<string> {
  if (command.kind === 'list') return listText(await send<DomainSummary[]>(owner, 'GET', ''))
  if (command.kind === 'redirect') return redirect(owner, command)
  const { hostname } = command
  const path = `/${encodeURIComponent(hostname)}`
  switch (command.kind) {
    case 'add':
      return domainText(await send<Domain>(owner, 'POST', '', { hostname }))
    case 'show':
      return domainText(await send<Domain>(owner, 'GET', path))
    case 'verify':
      return domainText(await send<Domain>(owner, 'POST', `${path}/verify`))
    case 'watch':
      return watch(owner, path)
    case 'primary': {
      await send<DomainSettings>(owner, 'PUT', '/primary', { hostname })
      return `${hostname} is now the primary domain.`
    }
    case 'remove':
      return removalText(hostname, await send<DomainRemoval>(owner, 'DELETE', path))
    case 'history':
      return historyText(await send<DomainEvent[]>(owner, 'GET', `${path}/history?limit=100`))
  }
}

/** The other redirects stay as they are. */
async function redirect(
  owner: Owner,
  { from, to, status }: Extract<OwnerCommand, { kind: 'redirect' }>,
): Promise<string> {
  const { version, redirects } = await send<DomainSettings>(owner, 'GET', '/settings')
  const others = redirects.filter((one) => one.from !== from)
  const wanted = to === null ? others : [...others, { from, to, status }]
  await send<DomainSettings>(owner, 'PUT', '/redirects', { version, redirects: wanted })
  return to === null ? `${from} now shows the site itself.` : `${from} now redirects to ${to} (${status}).`
}

/** As the dashboard does, which also makes the service check more often. */
async function watch(owner: Owner, path: string): Promise<string> {
  const startedAt = performance.now()
  const url = `${owner.platform}/watch?topics=domain:${owner.slug}${path}`
  const { body } = await fetch(url, { headers: owner.headers })
  let rest = ''
  let before = ''
  for await (const part of (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    const events = `${rest}${part}`.split('\n\n')
    rest = events.pop() ?? ''
    for (const data of events.flatMap((event) => /^data: (.*)$/m.exec(event)?.[1] ?? [])) {
      const { domain } = JSON.parse(data) as { domain?: Domain }
      if (!domain) continue
      const { status, axes, rootCause } = domain
      const line = `${status.padEnd(16)} certificate ${axes.certificate}${rootCause ? `  ${rootCause.code}` : ''}`
      if (line !== before) print(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(5)} s  ${line}`)
      before = line
      if (status === 'live') return domainText(domain)
    }
  }
  return 'The domain no longer exists.'
}

export async function runOwner(words: readonly string[]): Promise<void> {
  const command = parseOwnerCommand(words)
  if (command.kind === 'mistake') throw new Error(command.say)
  const owner = readState()?.owner
  if (!owner) throw new Error('No world with a store runs. Start one in another terminal: npm run world')
  print(await fulfil(owner, command))
  // The event stream of a domain is endless.
  process.exit(0)
}
