// The names of the statements that the services of this process run while something is asked of them.

import pg from 'pg'

/** Those of sweeps and caches come at any time. */
const isBackground = (name: string) => /^(sweep-|find-revocations$|add-rates$|touch-)/.test(name)

/** In order. A statement without a name is listed as its text: `begin`, `commit`. */
export async function statementsOf<T>(asked: () => Promise<T>): Promise<{ answer: T; statements: string[] }> {
  const statements: string[] = []
  const prototype = pg.Client.prototype as { query: (...given: unknown[]) => unknown }
  const { query } = prototype
  prototype.query = function recorded(...given: unknown[]) {
    const [first] = given
    const { name, text } = (typeof first === 'string' ? { text: first } : first) as { name?: string; text?: string }
    const shown = name ?? text ?? ''
    if (!isBackground(shown)) statements.push(shown)
    return query.apply(this, given)
  }
  try {
    return { answer: await asked(), statements }
  } finally {
    prototype.query = query
  }
}
