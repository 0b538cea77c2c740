// Passkeys as the browser has them: makes one, or asks for one. The library that turns
// what the server says into what browsers want is loaded when somebody needs it. What can
// go wrong has three names, each of which has its own words.

import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'

export type PasskeyFailure = 'stopped' | 'known' | 'unable'

/** What the server says that the browser is to be asked, passed on as it is. */
type Options = Record<string, unknown>

const load = () => import('@simplewebauthn/browser')

export const hasPasskeys = (): boolean => typeof globalThis.PublicKeyCredential === 'function'

export async function makePasskey(options: Options): Promise<Record<string, unknown>> {
  const { startRegistration } = await load()
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
  return { ...(await startRegistration({ optionsJSON })) }
}

/** A later question takes the place of an earlier one. With `isOffered` the browser offers passkeys beside the field. */
export async function requestPasskey(options: Options, isOffered = false): Promise<Record<string, unknown>> {
  const { startAuthentication } = await load()
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
  return { ...(await startAuthentication({ optionsJSON, useBrowserAutofill: isOffered })) }
}

/** Whether passkeys can be offered where the e-mail address is typed. */
export async function canOffer(): Promise<boolean> {
  if (!hasPasskeys()) return false
  const { browserSupportsWebAuthnAutofill } = await load()
  return browserSupportsWebAuthnAutofill()
}

export async function cancelPasskeyRequest(): Promise<void> {
  const { WebAuthnAbortService } = await load()
  WebAuthnAbortService.cancelCeremony()
}

/** Browsers do not tell being refused from being too slow. */
export function failureOf(error: unknown): PasskeyFailure {
  const { name } = error instanceof Error ? error : { name: '' }
  if (name === 'InvalidStateError') return 'known'
  return name === 'NotAllowedError' || name === 'AbortError' ? 'stopped' : 'unable'
}
