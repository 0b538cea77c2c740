// An edge that speaks protocol 1, recorded when protocol 2 was added: how it decodes the changes of
// the host table, applies them and requests the next ones. It must never change: edges of that
// release exist, and the control plane serves them until they are upgraded.

type Route = { seq: number; hostname: string; kind: string; slug?: string }
type Changes = { head: number; isReset: boolean; routes: Route[] }

export type FirstEdge = {
  /** What each hostname serves. */
  table: ReadonlyMap<string, Route>
  readonly seq: number
  /** The query of its next request. */
  query(): string
  /** False if it rejects the response, as a whole. */
  take(response: unknown): boolean
}

export function recordedFirstEdge(): FirstEdge {
  const table = new Map<string, Route>()
  let seq = 0
  let begun = 0
  let headBefore = 0
  return {
    table,
    get seq() {
      return seq
    },
    query: () => `after=${seq}&wait=0${begun > seq ? `&begun=${begun}` : ''}`,
    take(response) {
      const changes = readChanges(response, seq)
      if (!changes) return false
      if (seq === 0 || changes.isReset) begun = changes.head
      const hasChanges = changes.routes.length > 0 || changes.isReset
      const mark = hasChanges ? 0 : Math.min(headBefore, changes.head)
      headBefore = hasChanges ? 0 : changes.head
      if (changes.isReset) {
        table.clear()
        seq = 0
      }
      for (const route of changes.routes) {
        if (route.seq <= seq) continue
        seq = route.seq
        table.delete(route.hostname)
        if (route.kind !== 'gone') table.set(route.hostname, route)
      }
      seq = Math.max(seq, mark)
      return true
    },
  }
}

function readChanges(value: unknown, after: number): Changes | undefined {
  const { head, isReset, routes } = fieldsOf(value)
  if (!isSeq(head) || typeof isReset !== 'boolean' || !Array.isArray(routes)) return undefined
  const read: Route[] = []
  let last = isReset ? 0 : after
  for (const item of routes) {
    const route = readRoute(item)
    if (!route || route.seq <= last) return undefined
    last = route.seq
    read.push(route)
  }
  return { head, isReset, routes: read }
}

function readRoute(value: unknown): Route | undefined {
  const { seq, hostname, kind, slug, target, status, generation, serial } = fieldsOf(value)
  if (!isSeq(seq) || !isText(hostname, hostnameForm) || !isText(generation, generationForm)) return undefined
  if (kind === 'gone') return { seq, hostname, kind }
  if (!isText(slug, slugForm) || !isText(serial, serialForm)) return undefined
  if (kind === 'site') return { seq, hostname, kind, slug }
  if (kind !== 'redirect' || !isText(target, hostnameForm) || ![301, 302, 307, 308].includes(status as number)) {
    return undefined
  }
  return { seq, hostname, kind, slug }
}

const label = '(?!(?!xn)..--)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const number = String.raw`(?:\d+|0x[0-9a-f]*)`
const hostnameForm = new RegExp(`^(?=.{1,253}$)(?:${label}\\.){1,9}(?!${number}$)${label}$`)
const slugForm = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
const generationForm = /^(0|[1-9]\d{0,18})$/
const serialForm = /^[\w-]{1,128}$/

const isText = (value: unknown, form: RegExp): value is string => typeof value === 'string' && form.test(value)
const isSeq = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
