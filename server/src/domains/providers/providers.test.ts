// Tests with at least one real nameserver per provider, and with names that only look like one.

import { expect, test } from 'vitest'
import { forwardingAt, isOnHold, parkingAt, providerOf, providers } from './providers.ts'

const realNameservers: Readonly<Record<string, readonly string[]>> = {
  cloudflare: ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'],
  route53: ['ns-1234.awsdns-26.org', 'ns-1.awsdns-00.com', 'ns-2000.awsdns-58.co.uk', 'ns-900.awsdns-48.net'],
  azure: ['ns1-04.azure-dns.com', 'ns2-04.azure-dns.net', 'ns3-04.azure-dns.org', 'ns4-04.azure-dns.info'],
  google: ['ns-cloud-a1.googledomains.com', 'ns-cloud-a2.googledomains.com'],
  oracle: ['ns1.p68.dns.oraclecloud.net'],
  dyn: ['ns1.p16.dynect.net'],
  ultradns: ['pdns1.ultradns.net', 'pdns3.ultradns.org', 'pdns6.ultradns.co.uk'],
  akamai: ['a1-66.akam.net'],
  linode: ['ns1.linode.com'],
  digitalocean: ['ns1.digitalocean.com', 'ns2.digitalocean.com', 'ns3.digitalocean.com'],
  vultr: ['ns1.vultr.com'],
  scaleway: ['ns0.dom.scw.cloud'],
  hetzner: ['hydrogen.ns.hetzner.com', 'oxygen.ns.hetzner.com', 'helium.ns.hetzner.de'],
  contabo: ['ns1.contabo.net'],
  yandex: ['ns1.yandexcloud.net'],
  selectel: ['ns1.selectel.ru'],
  alibaba: ['dns9.hichina.com'],
  dnspod: ['f1g1ns1.dnspod.net'],
  huawei: ['ns1.hwclouds-dns.com'],
  rackspace: ['dns1.stabletransit.com', 'dns2.stabletransit.com'],
  vercel: ['ns1.vercel-dns.com'],
  ns1: ['dns1.p01.nsone.net'],
  bunny: ['kiki.bunny.net', 'coco.bunny.net'],
  gcore: ['ns1.gcorelabs.net', 'ns2.gcdn.services'],
  dnsimple: ['ns1.dnsimple.com', 'ns2.dnsimple-edge.net'],
  dnsmadeeasy: ['ns10.dnsmadeeasy.com'],
  constellix: ['ns11.constellix.com', 'ns41.constellix.net'],
  cloudns: ['pns31.cloudns.net'],
  easydns: ['dns1.easydns.com', 'dns2.easydns.net'],
  he: ['ns1.he.net', 'ns5.he.net'],
  desec: ['ns1.desec.io', 'ns2.desec.org'],
  afraid: ['ns1.afraid.org'],
  zoneedit: ['dns1.zoneedit.com'],
  fastmail: ['ns1.messagingengine.com'],
  godaddy: ['ns01.domaincontrol.com', 'ns02.domaincontrol.com'],
  namecheap: ['dns1.registrar-servers.com', 'dns2.registrar-servers.com'],
  squarespace: ['ns01.squarespacedns.com'],
  wix: ['ns10.wixdns.net', 'ns11.wixdns.net'],
  wordpress: ['ns1.wordpress.com'],
  weebly: ['ns1.weebly.com'],
  hostinger: ['ns1.dns-parking.com', 'ns2.dns-parking.com'],
  porkbun: ['curitiba.ns.porkbun.com', 'fortaleza.ns.porkbun.com'],
  namecom: ['ns1fkl.name.com'],
  dynadot: ['ns1.dyna-ns.net'],
  namesilo: ['ns1.dnsowl.com'],
  spaceship: ['launch1.spaceship.net'],
  epik: ['ns3.epik.com'],
  hover: ['ns1.hover.com'],
  opensrs: ['ns1.systemdns.com'],
  enom: ['dns1.name-services.com'],
  networksolutions: ['ns45.worldnic.com'],
  registercom: ['dns041.d.register.com'],
  namebright: ['ns1.namebrightdns.com'],
  '101domain': ['ns1.101domain.com'],
  topdns: ['ns1.topdns.com'],
  rrpproxy: ['ns1.rrpproxy.net'],
  resellerclub: ['petshop.earth.orderbox-dns.com'],
  bluehost: ['ns1.bluehost.com'],
  hostgator: ['ns8001.hostgator.com'],
  dreamhost: ['ns1.dreamhost.com'],
  siteground: ['ns1.siteground.net'],
  a2: ['ns1.a2hosting.com'],
  inmotion: ['ns1.inmotionhosting.com'],
  freenom: ['ns01.freenom.com'],
  crazydomains: ['ns1.crazydomains.com'],
  ventraip: ['ns1.nameserver.net.au'],
  synergy: ['ns1.partnerconsole.net'],
  ionos: ['ns1032.ui-dns.org', 'ns1070.ui-dns.de', 'ns1092.ui-dns.biz', 'ns1116.ui-dns.com'],
  strato: ['docks01.rzone.de', 'shades04.rzone.de'],
  uniteddomains: ['ns.udag.de', 'ns.udag.net', 'ns.udag.org'],
  inwx: ['ns.inwx.de', 'ns2.inwx.de', 'ns3.inwx.eu'],
  netcup: ['root-dns.netcup.net', 'second-dns.netcup.net'],
  allinkl: ['ns5.kasserver.com', 'ns6.kasserver.com'],
  domainfactory: ['ns.namespace4you.de', 'ns2.namespace4you.de'],
  hosteurope: ['ns1.hans.hosteurope.de'],
  world4you: ['ns1.world4you.at'],
  hostpoint: ['ns.hostpoint.ch', 'ns2.hostpoint.ch'],
  infomaniak: ['ns11.infomaniak.ch', 'ns12.infomaniak.ch'],
  cyon: ['ns1.cyon.ch'],
  ovh: ['dns109.ovh.net', 'ns109.ovh.net'],
  gandi: ['ns-13-a.gandi.net', 'ns-200-b.gandi.net'],
  lws: ['ns1.lwsdns.com'],
  o2switch: ['ns1.o2switch.net'],
  transip: ['ns0.transip.net', 'ns1.transip.nl', 'ns2.transip.eu'],
  mijndomein: ['ns1.mijndomein.nl'],
  hostnet: ['ns1.hostnet.nl'],
  openprovider: ['ns1.openprovider.nl', 'ns2.openprovider.be', 'ns3.openprovider.eu'],
  antagonist: ['ns1.webhostingserver.nl'],
  combell: ['ns3.combell.com', 'ns4.combell.net'],
  onecom: ['ns01.one.com', 'ns02.one.com'],
  simply: ['ns1.simply.com'],
  loopia: ['ns1.loopia.se', 'ns2.loopia.se'],
  binero: ['ns1.binero.se'],
  glesys: ['ns1.namesystem.se'],
  domeneshop: ['ns1.hyp.net'],
  zone: ['ns.zone.eu'],
  active24: ['alfa.ns.active24.cz'],
  forpsi: ['ns.forpsi.net'],
  wedos: ['ns.wedos.com', 'ns.wedos.net', 'ns.wedos.cz'],
  websupport: ['ns1.websupport.sk'],
  homepl: ['dns.home.pl'],
  nazwapl: ['ns1.nazwa.pl'],
  aruba: ['dns.technorail.com', 'dns3.arubadns.net'],
  registerit: ['ns1.register.it'],
  arsys: ['dns1.servidoresdns.net'],
  dinahosting: ['ns.dinahosting.com'],
  papaki: ['ns1.papaki.gr'],
  '123reg': ['ns.123-reg.co.uk', 'ns2.123-reg.co.uk'],
  fasthosts: ['ns1.livedns.co.uk'],
  namescouk: ['ns0.phase8.net'],
  blacknight: ['ns1.blacknight.com'],
  nicru: ['ns3-l2.nic.ru'],
  regru: ['ns1.reg.ru', 'ns2.reg.ru'],
  beget: ['ns1.beget.com', 'ns2.beget.com', 'ns1.beget.pro'],
  timeweb: ['ns1.timeweb.ru', 'ns3.timeweb.org'],
  sakura: ['ns1.dns.ne.jp'],
  onamae: ['01.dnsv.jp'],
  muumuu: ['dns01.muumuu-domain.com'],
  xserver: ['ns1.xserver.jp'],
  valuedomain: ['ns1.value-domain.com'],
  gabia: ['ns.gabia.co.kr', 'ns1.gabia.co.kr'],
  cafe24: ['ns1.cafe24.com'],
  locaweb: ['ns1.locaweb.com.br'],
  registrobr: ['a.auto.dns.br', 'b.auto.dns.br'],
  sedo: ['ns1.sedoparking.com', 'ns2.sedoparking.com'],
  parkingcrew: ['ns1.parkingcrew.net'],
  bodis: ['ns1.bodis.com'],
  above: ['ns1.above.com'],
  dan: ['ns1.dan.com', 'ns2.dan.com'],
  afternic: ['ns1.afternic.com'],
  cashparking: ['ns1.cashparking.com'],
  parklogic: ['ns1.parklogic.com'],
  voodoo: ['ns1.voodoo.com'],
  ztomy: ['ns1626.ztomy.com'],
  fabulous: ['ns1.fabulous.com'],
  uniregistry: ['ns1.uniregistrymarket.link'],
  brandbucket: ['ns1.brandbucket.com'],
  atom: ['ns1.atom.com'],
  efty: ['ns1.efty.com'],
}

test('every provider is recognised by its real nameservers', () => {
  const recognised = Object.entries(realNameservers).map(([id, names]) => [id, providerOf(names)?.id])
  expect(recognised).toEqual(Object.keys(realNameservers).map((id) => [id, id]))
  expect(Object.keys(realNameservers).toSorted()).toEqual(providers.map(({ id }) => id).toSorted())
})

test('more than 120 nameserver suffixes are known, and no two providers share one', () => {
  const ends = providers.flatMap(({ nameservers }) => nameservers)
  expect(ends.length).toBeGreaterThan(120)
  expect(new Set(ends).size).toBe(ends.length)
  expect(new Set(providers.map(({ id }) => id)).size).toBe(providers.length)
})

test('a name that only looks like a nameserver of a provider is not recognised', () => {
  const lookalikes = providers.flatMap(({ nameservers }) =>
    nameservers.flatMap((end) => [
      `evil${end}`,
      `ns1.evil${end}`,
      `ns1.${end}.evil.test`,
      `${end}.evil.test`,
      end.replace('.', '-'),
    ]),
  )
  const others = [
    'evilcloudflare.com',
    'ns.cloudflare.com.evil.test',
    'ns1.cloudflare.com',
    'ns-1.awsdns-1.evil.test',
    'ns-1.awsdns-1.com.evil.test',
    'x.ns-1.awsdns-11.com.de',
    'awsdns-11.com',
    'ns-1.evilawsdns-11.com',
    'ns1.ui-dns.net',
    '',
    '.',
  ]
  expect([...lookalikes, ...others].filter((name) => providerOf([name]) !== null)).toEqual([])
})

test('the trailing dot and the case of a nameserver name do not matter', () => {
  expect(providerOf(['ADA.NS.CLOUDFLARE.COM.', 'bob.ns.cloudflare.com'])?.id).toBe('cloudflare')
})

test('a domain with nameservers of two providers, or mostly unknown ones, gets the generic wording', () => {
  expect(providerOf(['ns1.digitalocean.com', 'ns-1.awsdns-01.com'])).toBeNull()
  expect(providerOf(['ns1.digitalocean.com', 'ns1.own.test'])).toBeNull()
  expect(providerOf(['ns1.digitalocean.com', 'ns2.digitalocean.com', 'ns1.own.test'])?.id).toBe('digitalocean')
  expect(providerOf([])).toBeNull()
})

test('apex aliases are known to exist, known not to exist, or unknown, but never guessed', () => {
  const word = (id: string) => providers.find((provider) => provider.id === id)?.apexAlias
  expect(word('cloudflare')).toBe('CNAME')
  expect(word('dnsimple')).toBe('ALIAS')
  expect(word('namecom')).toBe('ANAME')
  for (const id of ['route53', 'azure', 'hostinger', 'godaddy', 'namesilo', 'he', 'squarespace'])
    expect(word(id)).toBeNull()
  expect(word('hostpoint')).toBeUndefined()
})

test("a registrar hold is recognised, and an owner's own name with similar words is not", () => {
  const held = [
    ['ns1.suspended-domain.com', 'ns2.suspended-domain.com'],
    ['ns1.verification-hold.suspended-domain.com'],
    ['ns1.verification-hold.registrar.example', 'ns2.verification-hold.registrar.example'],
    ['ns1.pendingrenewaldeletion.com', 'ns2.pendingrenewaldeletion.com'],
    ['expired1.registrar.example', 'expired2.registrar.example'],
    ['failed-whois-verification.namecheap.com', 'verify-contact-details.namecheap.com'],
    ['NS1.RENEWYOURNAME.NET.'],
  ]
  for (const nameservers of held) expect(isOnHold(nameservers, 'petshop.com')).toBe(true)
  const free = [
    [],
    ['ns1.digitalocean.com'],
    ['ns1.suspended-domain.com', 'ns1.digitalocean.com'],
    ['ns1.evilsuspended-domain.com'],
    ['ns1.expired.com'],
    ['expired.petshop.com'],
    ['ns1.expired-goods.shop.example'],
    ['ns1.dns-parking.com'],
  ]
  for (const nameservers of free) expect(isOnHold(nameservers, 'petshop.com')).toBe(false)
})

test('addresses of parking pages and forwarders are recognised by provider', () => {
  expect(parkingAt('34.102.136.180')?.name).toBe('GoDaddy')
  expect(parkingAt('91.195.240.94')?.name).toBe('Sedo')
  expect(forwardingAt('162.255.119.17')?.name).toBe('Namecheap')
  expect(parkingAt('192.0.2.1')).toBeNull()
  expect(forwardingAt('192.0.2.1')).toBeNull()
})

test('no address is listed for two parking pages or forwarders', () => {
  const addresses = providers.flatMap(({ parking, forwarding }) => [...parking, ...forwarding])
  expect(new Set(addresses).size).toBe(addresses.length)
})
