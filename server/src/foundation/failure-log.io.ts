import type { FastifyInstance } from 'fastify'
import { openFailureLog, type FailureLine } from './failure-log.ts'

export type FailureLines = Record<
  FailureLine['level'],
  (fields: Omit<FailureLine, 'level' | 'msg'>, msg: string) => void
>

const CHECK_MS = 5000

/** `subjectOf` as there. */
export function startFailureLog(log: FailureLines, subjectOf?: (error: Error) => string) {
  const write = ({ level, msg, ...fields }: FailureLine) => log[level](fields, msg)
  const { report, check } = openFailureLog(write, () => performance.now(), subjectOf)
  const timer = setInterval(check, CHECK_MS).unref()
  return { report, stop: () => clearInterval(timer) }
}

/** Of a server, until it is closed. */
export function reportFailuresOf(app: FastifyInstance, subjectOf?: (error: Error) => string): (error: Error) => void {
  const { report, stop } = startFailureLog(app.log, subjectOf)
  app.addHook('onClose', () => stop())
  return report
}
