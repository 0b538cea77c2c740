// Passkeys without a person: Chromium's virtual authenticator.

import type { Page } from 'playwright-core'

/** Adds a virtual authenticator that confirms every request at once, or whose user it does not recognise. */
export async function giveAuthenticator(page: Page, { isUserVerified = true } = {}): Promise<void> {
  const devices = await page.context().newCDPSession(page)
  await devices.send('WebAuthn.enable')
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified,
      automaticPresenceSimulation: true,
    },
  })
}
