// The advice texts in full, for every cause of ownership and pointing. Change a text here
// only after reading it aloud as a shop owner would: what we found, what to do, what happens
// next.

import { expect, test } from 'vitest'
import {
  NOW,
  ownershipCases,
  pointingCases,
  worldOf,
  type AdviceCase,
} from '../../../../testbed/evidence/advice-cases.ts'
import { ownershipCauses } from '../causes/names.ts'
import { pointingCauses } from '../causes/pointing.ts'
import { judge } from './judge.ts'

const texts: Readonly<Record<string, string>> = {
  'own.txt_missing':
    'At your DNS provider, add Type TXT, Name _petstore, Value petstore-verify=3k7q2m9x4w8t6n1v5b0c, TTL 3600: it proves that shop.example is yours. Once we have detected it, you may delete it.',
  'own.txt_missing: a name under one that another project holds':
    'At your DNS provider, add Type TXT, Name _petstore.www, Value petstore-verify=3k7q2m9x4w8t6n1v5b0c, TTL 3600: another store holds a name above www.shop.example, so we must know that it is yours. Once we have detected it, you may delete it.',
  'own.txt_missing: a subdomain behind a proxy':
    'At your DNS provider, add Type TXT, Name _petstore.www, Value petstore-verify=3k7q2m9x4w8t6n1v5b0c, TTL 3600: it proves that www.shop.example is yours. Once we have detected it, you may delete it.',
  'own.txt_mismatch':
    'The TXT record `_petstore.shop.example` has the value `petstore-verify=something-else`; it must be `petstore-verify=3k7q2m9x4w8t6n1v5b0c`. Replace the value.',
  'own.txt_stale':
    'The TXT record `_petstore.shop.example` contains a token from an earlier setup, which is no longer valid. Replace it with `petstore-verify=3k7q2m9x4w8t6n1v5b0c`.',
  'own.txt_quoted_or_split':
    'Your TXT record is accepted. Your DNS provider added quotes or spaces, or split the value; that is harmless.',
  'own.txt_wrong_name: doubled':
    'The TXT record is at `_petstore.shop.example.shop.example`, but it must be at `_petstore.shop.example`. Edit its Name to _petstore; some providers append the domain name automatically.',
  'own.txt_wrong_name: at the name itself':
    'The TXT record is at `shop.example`, but it must be at `_petstore.shop.example`. Edit its Name to _petstore; some providers append the domain name automatically.',
  'own.contested':
    'www.shop.example is live on another store. If it is yours, add the TXT record `_petstore.www.shop.example` with the value `petstore-verify=3k7q2m9x4w8t6n1v5b0c` and choose Verify: this moves it here and stops it there immediately.',
  'own.cname_older_than_project':
    'The CNAME for www.shop.example existed before this store. Add the TXT record `_petstore.www.shop.example` with the value `petstore-verify=3k7q2m9x4w8t6n1v5b0c` to confirm that it is meant for you.',
  'own.lost':
    'We can no longer confirm that www.shop.example is yours, because it no longer points here. Your site keeps working for now. Restore the record below, or choose Remove if you moved it on purpose.',
  'own.token_only_in_cache':
    "Some resolvers still have your TXT record cached, but your DNS provider's own nameservers no longer have it, so it does not count. If you have just saved it again, there is nothing more to do.",
  'dns.no_record':
    'There is no record for www.shop.example yet. At your DNS provider, add Type CNAME, Name www, Value happy-paws.petstore.example, TTL 3600.',
  'dns.no_record: an apex':
    'There is no record for shop.example yet. At your DNS provider, add Type ALIAS or ANAME, Name @, Value happy-paws.petstore.example, TTL 3600. If your DNS provider has neither, use A `192.0.2.10` and AAAA `2001:db8::10`.',
  'dns.no_record: an apex at Namecheap':
    'There is no record for shop.example yet. At Namecheap, add Type ALIAS, Name @, Value happy-paws.petstore.example, TTL 3600.',
  'dns.no_record: a `*` record answers':
    'There is no record for www.shop.example yet; a `*` record answers in its place. At your DNS provider, add Type CNAME, Name www, Value happy-paws.petstore.example, TTL 3600.',
  'dns.conflict_a':
    'An A record for www.shop.example sends visitors to `203.0.113.9`. It blocks the CNAME: delete it, then add the CNAME record to happy-paws.petstore.example.',
  'dns.conflict_a: beside the CNAME':
    'An A record for www.shop.example sends visitors to `203.0.113.9`. It blocks the CNAME: delete it.',
  'dns.conflict_a: in a known network':
    'An A record for www.shop.example sends visitors to `151.101.1.195` (Fastly). It blocks the CNAME: delete it, then add the CNAME record to happy-paws.petstore.example.',
  'dns.conflict_a: an apex':
    'An A record for shop.example sends visitors to `203.0.113.9`. Delete it, then add the ALIAS or ANAME record to happy-paws.petstore.example.',
  'dns.conflict_a: an apex without ALIAS':
    'An A record for shop.example sends visitors to `203.0.113.9`. Change it to A `192.0.2.10` and AAAA `2001:db8::10`.',
  'dns.conflict_aaaa':
    'An AAAA (IPv6) record for shop.example sends visitors to `2001:db8:dead::1`, which is not our server. Delete it: browsers and certificate checks prefer IPv6.',
  'dns.a_instead_of_cname':
    'www.shop.example has an A record with our address. Delete it, then add the CNAME record to happy-paws.petstore.example: our addresses can change, and an address does not identify your store.',
  'dns.cname_wrong':
    'www.shop.example points to `shops.elsewhere.example`. Change the value to happy-paws.petstore.example.',
  'dns.cname_other_project':
    'www.shop.example points to another store here (`bird-house.petstore.example`). Change the value to happy-paws.petstore.example, or add the domain in that store.',
  'dns.cname_unknown_project':
    'www.shop.example points to `bird-house.petstore.example`, but there is no store with that name. Change the value to happy-paws.petstore.example.',
  'dns.cname_bare_platform_host':
    "www.shop.example points to `petstore.example`, which does not identify a store. Put your store's name in front: happy-paws.petstore.example.",
  'dns.cname_typo':
    'Almost: www.shop.example points to `hapy-paws.petstore.example`, but we need happy-paws.petstore.example (`hapy-paws` must be `happy-paws`). Change the value.',
  'dns.cname_typo: a part left out':
    'Almost: www.shop.example points to `happy-paws.example`, but we need happy-paws.petstore.example (`petstore` is missing). Change the value.',
  'dns.cname_typo: an address of the web':
    'Almost: www.shop.example points to `https://happy-paws.petstore.example`, but we need happy-paws.petstore.example (`https://happy-paws` must be `happy-paws`). Change the value.',
  'dns.cname_typo: only the project':
    'Almost: www.shop.example points to `happy-paws.shop.example`, but we need happy-paws.petstore.example (`petstore.example` is missing). Change the value.',
  'dns.cname_former_host':
    'www.shop.example works, but it points to `happy-paws.former.example`, an earlier address of ours that will end one day. Change the value to happy-paws.petstore.example.',
  'dns.cname_zone_appended':
    'www.shop.example points to `happy-paws.petstore.example.shop.example`: your DNS provider added `shop.example` to the value. Put a dot at its end: `happy-paws.petstore.example.`',
  'dns.cname_indirect':
    'www.shop.example reaches us only through `shop.shop.example`. Point it directly to happy-paws.petstore.example.',
  'dns.name_doubled':
    'The record was created as `www.shop.example.shop.example`, because your DNS provider appends `shop.example` automatically. Edit its Name to www.',
  'dns.mixed_targets':
    'Only 2 of the 3 addresses of shop.example are ours, so some visitors reach the wrong site at random. Delete `203.0.113.9`.',
  'dns.multiple_cname':
    'There are several CNAME records for www.shop.example, to `happy-paws.petstore.example` and `shops.elsewhere.example`. Keep only one, to happy-paws.petstore.example.',
  'dns.cname_with_others':
    'www.shop.example has a CNAME and also other records (MX); DNS does not allow that. Delete those or move them to another name, or use another subdomain for your site.',
  'dns.apex_cname_illegal':
    'shop.example itself cannot have a CNAME: it would hide your other records, such as those for mail. Delete it, then add the ALIAS or ANAME record to happy-paws.petstore.example.',
  'dns.apex_no_alias':
    'There is no record for shop.example yet, and GoDaddy has no ALIAS record, which a domain without a subdomain needs. Choose: (1) add A `192.0.2.10` and AAAA `2001:db8::10`, with the TXT record below; (2) use www.shop.example and forward shop.example to it; (3) move DNS to a provider with ALIAS.',
  'dns.apex_by_address':
    'shop.example works. It uses fixed IP addresses: if ours ever change, you will have to update these records.',
  'dns.alias_stale':
    'shop.example still has addresses that we used earlier. Your DNS provider refreshes ALIAS records slowly. Nothing to do; we check every minute.',
  'dns.url_forwarding':
    'Web forwarding by Namecheap is on for www.shop.example. Turn it off, then add the CNAME record to happy-paws.petstore.example.',
  'dns.url_forwarding: seen by what it answers':
    'Web forwarding by your DNS provider is on for www.shop.example. Turn it off, then add the CNAME record to happy-paws.petstore.example.',
  'dns.parked':
    'www.shop.example still shows a parking page of GoDaddy. Remove the parking record, then add the CNAME record to happy-paws.petstore.example.',
  'dns.chain_too_long':
    'www.shop.example goes through too many CNAME records (www.shop.example → hop0.shop.example → hop1.shop.example → hop2.shop.example → hop3.shop.example → hop4.shop.example → hop5.shop.example → hop6.shop.example → hop7.shop.example → hop8.shop.example → hop9.shop.example → hop10.shop.example). Point it directly to happy-paws.petstore.example.',
  'dns.cname_loop':
    'The CNAME records of www.shop.example form a loop (www.shop.example → a.shop.example → www.shop.example). Point it directly to happy-paws.petstore.example.',
  'dns.wildcard_match':
    'www.shop.example seems to work only through a wildcard (`*`) record. Add a record of its own, so that a change to the wildcard cannot break it.',
  'dns.reserved_ip':
    'www.shop.example points to `192.168.1.20`, an address inside a private network that no visitor can reach. Delete it, then add the CNAME record to happy-paws.petstore.example.',
  'dns.record_disabled':
    'Nothing has changed at your DNS provider since our first check. If you have already created the record, choose Save or Publish there.',
  'dns.wrong_zone_edited':
    'The record exists at GoDaddy, but shop.example uses other nameservers: ada.ns.cloudflare.com and bob.ns.cloudflare.com (Cloudflare). Add the record there instead.',
}

const titleOf = ({ code, of }: AdviceCase) => (of === undefined ? code : `${code}: ${of}`)
const cases = [...ownershipCases, ...pointingCases]

test.each(cases.map((one) => [titleOf(one), one] as const))('%s is found, ranked first and explained', (title, one) => {
  const { troubles } = judge(worldOf(one), NOW)
  expect(troubles[0]?.code).toBe(one.root ?? one.code)
  expect(troubles.find(({ code }) => code === one.code)?.advice).toBe(texts[title])
})

test('every cause of ownership and pointing has a case, and every text belongs to a case', () => {
  const codes = new Set(cases.map(({ code }) => code))
  expect([...codes].toSorted()).toEqual([...Object.keys(ownershipCauses), ...Object.keys(pointingCauses)].toSorted())
  expect(Object.keys(texts)).toEqual(cases.map(titleOf))
})

test('a correct name has no troubles', () => {
  const [missing] = pointingCases
  if (!missing) throw new Error('there is a first case')
  const world = worldOf({
    ...missing,
    given: { ...missing.given, records: ['www.shop.example CNAME happy-paws.petstore.example'] },
  })
  expect(judge(world, NOW)).toMatchObject({ troubles: [], routing: 'pointing', ownership: 'proven', proof: 'cname' })
})
