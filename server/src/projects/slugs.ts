// The rules for slugs. The site is published below it, so a slug is one label of a
// hostname; names that people would take for the platform itself are reserved. The
// directory decides whether a slug is taken.

import type { SlugReason } from '@petstore-platform/contract/platform/projects'
import { isSlug } from '../foundation/slug.ts'

/** Digits and hyphens alone could be taken for an id. */
const hasLetter = (slug: string) => /[a-z]/.test(slug)

const reserved = new Set(
  `www web api app apps admin administrator root system internal localhost mail email smtp imap pop pop3 mx
   webmail postmaster hostmaster webmaster abuse security noreply no-reply autoconfig autodiscover wpad isatap
   mta-sts ns ns1 ns2 ns3 ns4 dns ftp sftp ssh vpn proxy gateway origin status docs doc help support blog news
   about contact legal privacy terms petstore platform dashboard console edge cdn static assets images media
   files login logout signin sign-in signup sign-up register session auth oauth sso account accounts billing
   pay payment payments checkout invoice invitations project projects slugs staging production preview download
   downloads id my`.split(/\s+/),
)

/** A browser would show such a label as other characters, and those can look like any name. */
const isPunycode = (slug: string) => slug.startsWith('xn--')

/** The reason why no project can have this slug; undefined if one could. */
export function slugFault(slug: string): Exclude<SlugReason, 'taken'> | undefined {
  if (!isSlug(slug) || !hasLetter(slug)) return 'invalid'
  return reserved.has(slug) || isPunycode(slug) ? 'reserved' : undefined
}

/** The message for the client that requests it. */
export function slugSentence(slug: string, reason: SlugReason): string {
  if (reason === 'taken') return `The slug '${slug}' is taken. Slugs are never reused.`
  if (reason === 'reserved') return `The slug '${slug}' is reserved for Petstore itself. Choose another one.`
  return 'A slug is 1 to 63 lower-case letters, digits and hyphens, as in a hostname, and at least one of them a letter.'
}
