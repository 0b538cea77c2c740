// Passkeys in the browser: creates one, or requests one. The library that converts the
// server's options for the browser is loaded on demand. Failures have three names, each
// with its own text.

import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'

export type PasskeyFailure = 'stopped' | 'known' | 'unable'

/** The server's options for the browser, passed on unchanged. */
type Options = Record<string, unknown>

const load = () => import('@simplewebauthn/browser')

export const hasPasskeys = (): boolean => typeof globalThis.PublicKeyCredential === 'function'

/** Whether one can be created on this page: browsers create none for an IP address. */
export const canMakePasskey = (): boolean => hasPasskeys() && !/^[\d.]+$|^\[/.test(globalThis.location.hostname)

export async function makePasskey(options: Options): Promise<Record<string, unknown>> {
  const { startRegistration } = await load()
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
  return { ...(await startRegistration({ optionsJSON })) }
}

/** A later request replaces an earlier one. With `isOffered` the browser offers passkeys next to the field. */
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

/** Browsers do not distinguish a cancelled request from a timeout. */
export function failureOf(error: unknown): PasskeyFailure {
  const { name } = error instanceof Error ? error : { name: '' }
  if (name === 'InvalidStateError') return 'known'
  return name === 'NotAllowedError' || name === 'AbortError' ? 'stopped' : 'unable'
}
