// The caps of the tables of accounts, and of what visitors can cause before they have one. Pure.

import { PASSKEYS_MAX } from '@petstore-platform/contract/platform/passkeys'
import { capsPer, constant, key, limit, rate } from './cap.ts'

export const capsOfAccounts = capsPer('account', {
  accounts: [key, 3500, 'createAccount: a link for each address', 'deleteAccount'],
  sessions: [limit('sessions'), 700, 'the oldest ends'],
  known_devices: [constant(20), 300, 'the one that was not used for longest makes room'],
  access_tokens: [constant(100), 900, 'createAccessToken', 'when it is revoked'],
  passkeys: [constant(PASSKEYS_MAX), 6000, 'addPasskey', 'removePasskey'],
  recovery_codes: [constant(10), 250, 'ten at a time', 'when it is used, or others are created'],
  email_changes: [rate(120, 8), 2500, 'changeEmail: one at a time, limit of requests'],
  account_links: [rate(120, 8), 600, 'limits of each kind of mail'],
  account_audit: [rate(2880, 365), 1700, 'limit of requests that change an account'],
})

/** Kept so briefly that the rate at which they can be requested bounds them. */
export const capsOfVisitors = capsPer('address group', {
  passkey_challenges: [limit('passkeyChallenges'), 400, 'the oldest is removed'],
  recovery_requests: [rate(30 * 60 * 24, 1 / 24), 2500, 'requestRecovery: limit of attempts'],
  sign_up_requests: [rate(30 * 60 * 24, 1), 2500, 'requestSignUp: limit of attempts'],
  sign_up_links: [rate(30 * 60 * 24, 1), 500, 'with the request', 'with the request'],
  sign_in_failures: [rate(100 * 24, 1), 150, 'limits of failed sign-ins', 'when the person of the account signs in'],
  rate_directory: [rate(30 * 60 * 24, 1), 250, 'one row for each that is counted'],
  former_addresses: [rate(1, 3), 1500, 'deleteAccount'],
})
