// What became of one attempt to hand a message to a relay. A relay that has replied about the
// message has rejected it; everything else is a failure of the relay or of the way to it. Texts
// of replies are not kept: they repeat the recipient's address.

export type RelayStage = 'connect' | 'tls' | 'authentication' | 'timeout' | 'connection'

export type SmtpOutcome =
  | { kind: 'accepted' }
  | { kind: 'rejected'; code: number; enhanced: string | null }
  | { kind: 'failed'; at: RelayStage; code: number | null }

/** The members of an error of the SMTP library that matter here. */
export type SmtpError = {
  code?: string | undefined
  responseCode?: number | undefined
  response?: string | undefined
}

/** RFC 5321: the service is not available and closes the connection; nothing about the message. */
const CLOSING = 421

/** `isSending`: the connection was ready for a message, so the message may be the reason. */
export function outcomeOf({ code, responseCode, response }: SmtpError, isSending: boolean): SmtpOutcome {
  const isAboutMessage = code === 'EENVELOPE' || code === 'EMESSAGE'
  if (isAboutMessage && responseCode !== undefined && responseCode !== CLOSING) {
    return { kind: 'rejected', code: responseCode, enhanced: enhancedIn(response ?? '') }
  }
  return { kind: 'failed', at: stageOf(code, isSending), code: responseCode ?? null }
}

function stageOf(code: string | undefined, isSending: boolean): RelayStage {
  if (code === 'EAUTH') return 'authentication'
  if (code === 'ETLS' || code === 'EREQUIRETLS') return 'tls'
  if (isSending) return code === 'ETIMEDOUT' ? 'timeout' : 'connection'
  return 'connect'
}

/** The enhanced status code (RFC 3463) that follows the reply code: `550 5.1.1 No such user`. */
export const enhancedIn = (response: string): string | null =>
  /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})(?:\s|$)/.exec(response)?.[1] ?? null

/** For operators and for the outbox: codes and a word of ours, never the relay's text. */
export function outcomeText(outcome: SmtpOutcome): string {
  if (outcome.kind === 'accepted') return '250'
  if (outcome.kind === 'rejected') return [outcome.code, outcome.enhanced].filter((part) => part !== null).join(' ')
  return outcome.code === null ? outcome.at : `${outcome.at} ${outcome.code}`
}
