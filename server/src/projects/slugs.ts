// The rules for slugs. The site is published below it, so a slug is one label of a hostname. Reserved is what people would
// take for the platform itself, for a page where they enter a password, or for a company that is often impersonated; also
// where other characters look like it. The directory decides whether a slug is taken.

import type { SlugReason } from '@petstore-platform/contract/platform/projects'
import { isSlug } from '../foundation/slug.ts'

/** Digits and hyphens alone could be taken for an id. */
const hasLetter = (slug: string) => /[a-z]/.test(slug)

const pagesOfPlatform =
  `www web api app apps admin administrator root system internal localhost mail email smtp imap pop pop3 mx
   webmail postmaster hostmaster webmaster abuse security noreply no-reply autoconfig autodiscover wpad isatap
   mta-sts ns ns1 ns2 ns3 ns4 dns ftp sftp ssh vpn proxy gateway origin status docs doc help support blog news
   about contact legal privacy terms petstore platform dashboard console edge cdn static assets images media
   files login logout signin sign-in signup sign-up register session auth oauth sso account accounts billing
   pay payment payments checkout invoice invitations project projects slugs staging production preview download
   downloads id my`.split(/\s+/)

/** What a name of the platform is combined with, to pass for a page of it. */
const besidePlatform =
  'team help center official service services shop store user users customer customers portal online'

/** Within a word, whatever is around it: a page where people enter a password. */
const ofPasswords =
  `login logon signin signup verify verifi password passwort passphrase contrasena motdepasse webmail wallet anmeldung
   ebanking onlinebanking`.split(/\s+/)

/** Anywhere. Words that a shop may well use, such as amazon or apple, are not among them. */
const brands =
  `paypal mastercard facebook instagram whatsapp microsoft office365 google icloud netflix coinbase binance blockchain
   letsencrypt cloudflare petstoreplatform`.split(/\s+/)

/** Characters that look alike become the same. */
const folded = (text: string): string =>
  text
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replace(/[0134578i]/g, (character) => lookAlikes[character] ?? character)

const lookAlikes: Readonly<Record<string, string>> = { 0: 'o', 1: 'l', i: 'l', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b' }

const foldedAll = (names: readonly string[]): readonly string[] => names.map((name) => folded(name.replaceAll('-', '')))

const PLATFORM = folded('petstore')
const reserved: ReadonlySet<string> = new Set(foldedAll(pagesOfPlatform))
const beside: ReadonlySet<string> = new Set([...reserved, ...foldedAll(besidePlatform.split(' ')), PLATFORM])
const foldedPasswords = foldedAll(ofPasswords)
const foldedBrands = foldedAll(brands)

/** One word in two. */
const writtenApart = /\b(pet|sign|log)-(store|in|up|on)\b/g

/** `more`: names that the operator has added, which no slug may contain. */
function isReserved(slug: string, more: readonly string[]): boolean {
  const joined = folded(slug.replaceAll('-', ''))
  const words = slug.replace(writtenApart, '$1$2').split('-')
  const names = words.map((word) => folded(word))
  return (
    reserved.has(joined) ||
    (names.includes(PLATFORM) && names.every((name) => beside.has(name))) ||
    foldedPasswords.some((one) => names.some((name) => name.includes(one))) ||
    [...foldedBrands, ...foldedAll(more)].some((one) => joined.includes(one))
  )
}

/** A browser would show such a label as other characters, and those can look like any name. */
const isPunycode = (slug: string) => slug.startsWith('xn--')

/** The reason why no project can have this slug; undefined if one could. */
export function slugFault(slug: string, more: readonly string[] = []): Exclude<SlugReason, 'taken'> | undefined {
  if (!isSlug(slug) || !hasLetter(slug)) return 'invalid'
  return isReserved(slug, more) || isPunycode(slug) ? 'reserved' : undefined
}

/** The message for the client that requests it. */
export function slugSentence(slug: string, reason: SlugReason): string {
  if (reason === 'taken') return `The slug '${slug}' is taken. Slugs are never reused.`
  if (reason === 'reserved')
    return `The slug '${slug}' is reserved: it could be taken for a page of Petstore or of a company. Choose another one.`
  return 'A slug is 1 to 63 lower-case letters, digits and hyphens, as in a hostname, and at least one of them a letter.'
}
