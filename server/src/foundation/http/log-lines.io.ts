// The form of every log line: `time` (RFC 3339), `level` as a word, the `role` of the process that
// writes it, and, in lines about a request, its `requestId`. One line per request is on the hot
// path: level and role are serialised once, and lines of the same millisecond share their time.

/** What a process does; `start` does several of them, each with lines of its own. */
export type LogRole = 'serve' | 'work' | 'edge' | 'control' | 'start'

/** Settings of Fastify's logger, next to those that are given. */
export const loggerSettings = <Given extends object>(logger: Given, role: LogRole) => ({
  ...logger,
  base: { role },
  formatters: { level: (level: string) => ({ level }) },
  timestamp: shownTime(),
  serializers: { err: shownError },
})

function shownTime(): () => string {
  let at = 0
  let text = ''
  return () => {
    const now = Date.now()
    if (now !== at) text = `,"time":"${new Date(now).toISOString()}"`
    at = now
    return text
  }
}

type ShownError = { [key: string]: unknown; type: string; message: string; stack: string }

/** A line about a background job has the parts of an error alone. */
const isError = (error: unknown): error is { name?: string; message: string; stack?: string; cause?: unknown } =>
  error instanceof Error || (error !== null && typeof error === 'object' && 'message' in error)

/** The logged part of an error. Drivers attach whole connections to theirs, with all their settings. */
function shownError(error: unknown): ShownError {
  if (!isError(error)) return { type: typeof error, message: typeof error === 'string' ? error : '', stack: '' }
  const { name = 'Error', message, stack = '', cause } = error
  const { code } = error as { code?: unknown }
  return { type: name, message, code, stack, ...(cause !== undefined && { cause: shownError(cause) }) }
}
