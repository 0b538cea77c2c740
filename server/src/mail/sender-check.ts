// Judges whether receivers will trust mail from the sender's domain, by its DNS: SPF (RFC 7208),
// DKIM (RFC 6376) and DMARC (RFC 7489), and whether the domains align. Pure: TXT records in,
// findings out.

/** The TXT records of a name; undefined if DNS did not answer. */
export type TxtRecords = readonly string[] | undefined

export type SenderFacts = {
  /** The domain of the From address; the envelope uses the same one. */
  domain: string
  /** The registrable domain, whose DMARC policy applies if the domain has none. */
  organisation: string
  /** Undefined if the relay signs. */
  dkim: { domain: string; selector: string; publicKey: string } | undefined
  spf: TxtRecords
  dmarc: TxtRecords
  organisationDmarc: TxtRecords
  key: TxtRecords
}

export type Finding = { about: 'SPF' | 'DKIM' | 'DMARC'; verdict: 'ok' | 'problem' | 'unknown'; text: string }

export const dkimName = ({ domain, selector }: { domain: string; selector: string }) =>
  `${selector}._domainkey.${domain}`

export const judgeSender = (facts: SenderFacts): Finding[] => [spfOf(facts), dkimOf(facts), dmarcOf(facts)]

const starting = (records: readonly string[], tag: RegExp) => records.filter((text) => tag.test(text))

function spfOf({ domain, spf }: SenderFacts): Finding {
  const about = 'SPF'
  if (spf === undefined) return { about, verdict: 'unknown', text: `DNS did not answer for TXT ${domain}.` }
  const policies = starting(spf, /^v=spf1(\s|$)/i)
  const [policy] = policies
  if (policy === undefined) {
    return {
      about,
      verdict: 'problem',
      text: `${domain} has no SPF record. Add TXT ${domain} with the value that your relay gives, such as "v=spf1 include:… -all".`,
    }
  }
  if (policies.length > 1) {
    return {
      about,
      verdict: 'problem',
      text: `${domain} has ${policies.length} SPF records; receivers accept only one.`,
    }
  }
  if (/\s\+?all$/i.test(policy)) {
    return {
      about,
      verdict: 'problem',
      text: `${policy}: this allows every server to send for ${domain}. End it with -all.`,
    }
  }
  return { about, verdict: 'ok', text: `${policy}. It must include your relay.` }
}

/** A TXT record is kept up to a length that holds most of a key; that much is compared. */
const COMPARED_LEAST = 40

function dkimOf({ domain, organisation, dkim, key }: SenderFacts): Finding {
  const about = 'DKIM'
  if (!dkim) {
    return {
      about,
      verdict: 'unknown',
      text: `Petstore does not sign. Have your relay sign for ${domain}, or set DKIM_KEY.`,
    }
  }
  const name = dkimName(dkim)
  if (!isWithin(dkim.domain, organisation)) {
    return {
      about,
      verdict: 'problem',
      text: `DKIM_DOMAIN ${dkim.domain} does not align with ${domain}, so DMARC ignores the signature.`,
    }
  }
  if (key === undefined) return { about, verdict: 'unknown', text: `DNS did not answer for TXT ${name}.` }
  const published = /(?:^|;)\s*p=([A-Za-z0-9+/=\s]*)/.exec(key[0] ?? '')?.[1]?.replaceAll(/\s/g, '') ?? ''
  if (published.length < COMPARED_LEAST) {
    return {
      about,
      verdict: 'problem',
      text: `No key is published. Add TXT ${name} with the value "v=DKIM1; p=${dkim.publicKey}".`,
    }
  }
  if (!dkim.publicKey.startsWith(published)) {
    return {
      about,
      verdict: 'problem',
      text: `The key at ${name} is not that of DKIM_KEY. Its value must be "v=DKIM1; p=${dkim.publicKey}".`,
    }
  }
  return { about, verdict: 'ok', text: `${name} holds the key of DKIM_KEY, and aligns with ${domain}.` }
}

function dmarcOf({ domain, organisation, dmarc, organisationDmarc }: SenderFacts): Finding {
  const about = 'DMARC'
  if (dmarc === undefined) return { about, verdict: 'unknown', text: `DNS did not answer for TXT _dmarc.${domain}.` }
  const form = /^v=DMARC1\s*;/i
  const [policy] = [...starting(dmarc, form), ...starting(organisationDmarc ?? [], form)]
  if (policy === undefined) {
    return {
      about,
      verdict: 'problem',
      text: `There is no DMARC record. Large receivers want one: add TXT _dmarc.${organisation} with the value "v=DMARC1; p=none".`,
    }
  }
  return { about, verdict: 'ok', text: policy }
}

const isWithin = (name: string, parent: string) => name === parent || name.endsWith(`.${parent}`)
