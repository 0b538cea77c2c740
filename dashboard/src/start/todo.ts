// The list of what waits for a person, from the overview: new requests first, then what keeps visitors from the site.
// Pure. What waits, the server has decided; here it is put in order.

import type { Overview } from './views.ts'

type Order = Overview['lastOrders'][number]
type Deployment = NonNullable<Overview['lastDeployment']>

export type Todo =
  | { kind: 'order'; count: 1; order: Order }
  /** Open requests that are not shown one by one. */
  | { kind: 'orders'; count: number }
  | { kind: 'domains'; count: number }
  | { kind: 'failed'; count: 1; deployment: Deployment; isSeen: boolean }
  | { kind: 'publish'; count: 1 }

export function todosOf({ lastOrders, openOrders, domains, lastDeployment, ...rest }: Overview): Todo[] {
  const { currentDeployment, animals } = rest
  const open = lastOrders.filter(({ stage }) => stage === 'new').slice(0, openOrders)
  const others = openOrders - open.length
  const hasFailed = lastDeployment?.state === 'failed'
  const hasAnimals = Object.values(animals).some(({ count }) => count > 0)
  // The set-up list says it before there are animals, and a deployment under way needs no one.
  const isUnpublished = currentDeployment === null && lastDeployment === null && hasAnimals
  return [
    ...open.map((order) => ({ kind: 'order' as const, count: 1 as const, order })),
    ...(others > 0 ? [{ kind: 'orders' as const, count: others }] : []),
    ...(domains.needAction > 0 ? [{ kind: 'domains' as const, count: domains.needAction }] : []),
    ...(hasFailed
      ? [{ kind: 'failed' as const, count: 1 as const, deployment: lastDeployment, isSeen: currentDeployment !== null }]
      : []),
    ...(isUnpublished ? [{ kind: 'publish' as const, count: 1 as const }] : []),
  ]
}

export const countOf = (todos: readonly Todo[]): number => todos.reduce((sum, { count }) => sum + count, 0)

const WORDS_LENGTH_MAX = 60

/** The beginning of a message on one line, cut after a word. */
export function firstWords(message: string): string {
  const line = message.trim().replaceAll(/\s+/gu, ' ')
  if (line.length <= WORDS_LENGTH_MAX) return line
  const cut = line.slice(0, WORDS_LENGTH_MAX)
  const end = cut.lastIndexOf(' ')
  // Half a surrogate pair is no character.
  return `${(end > 0 ? cut.slice(0, end) : cut.replace(/[\uD800-\uDBFF]$/, '')).replace(/[\s,;:.–-]+$/u, '')}…`
}
