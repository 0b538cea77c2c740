// What a mailed link is for: the page that it leads to, and for how long it works. Pure.
//
// A link sets a new password, ends everything with which the account can be used, confirms a new address, undoes its
// change, signs in, signs up, or accepts an invitation to a project.

import { CONFIRM_HOURS, UNDO_DAYS } from '@petstore-platform/contract/platform/email-change'
import { RECOVERY_MINUTES, SECURE_DAYS } from '@petstore-platform/contract/platform/recovery'
import { SIGN_IN_LINK_MINUTES } from '@petstore-platform/contract/platform/sign-in-links'

const HOUR_MINUTES = 60
const DAY_MINUTES = 24 * HOUR_MINUTES

/** Those of an account. */
export const accountLinks = {
  recovery: { page: '/recovery', minutes: RECOVERY_MINUTES },
  sign_in: { page: '/sign-in-link', minutes: SIGN_IN_LINK_MINUTES },
  secure: { page: '/secure', minutes: SECURE_DAYS * DAY_MINUTES },
  confirm_email: { page: '/confirm-email', minutes: CONFIRM_HOURS * HOUR_MINUTES },
  undo_email: { page: '/undo-email', minutes: UNDO_DAYS * DAY_MINUTES },
} as const

/** The last two end with the request to sign up, and with the invitation. */
const links = { ...accountLinks, sign_up: { page: '/sign-up' }, invitation: { page: '/invitations' } } as const

export type AccountLinkPurpose = keyof typeof accountLinks

/** Behind the #, a secret reaches neither logs nor other sites. */
export const linkUrl = (dashboardOrigin: string, purpose: keyof typeof links, secret: string): string =>
  `${dashboardOrigin}${links[purpose].page}#${secret}`
