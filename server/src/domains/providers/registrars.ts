// Registrars that sell names worldwide, and website builders that run the DNS of their
// customers. `parking` and `forwarding` are the addresses that these companies assign to
// names without a website of their own.

import { block, entry, type Provider } from './provider.ts'

export const registrars: readonly Provider[] = [
  entry('godaddy', 'GoDaddy', ['domaincontrol.com'], {
    apexAlias: null,
    dnsPage: 'https://dcc.godaddy.com/control/portfolio',
    parking: ['34.102.136.180', '34.98.99.30'],
    forwarding: ['3.33.130.190', '15.197.148.33', '15.197.225.128', '3.33.251.168', '184.168.131.241'],
  }),
  entry('namecheap', 'Namecheap', ['registrar-servers.com', 'namecheaphosting.com'], {
    apexAlias: 'ALIAS',
    dnsPage: 'https://ap.www.namecheap.com/domains/list/',
    parking: ['91.195.240.19', ...block('198.54.117.', 197, 218)],
    forwarding: block('162.255.119.', 1, 254),
  }),
  entry('squarespace', 'Squarespace', ['squarespacedns.com'], {
    apexAlias: null,
    dnsPage: 'https://account.squarespace.com/domains',
  }),
  entry('wix', 'Wix', ['wixdns.net'], { dnsPage: 'https://manage.wix.com/account/domains' }),
  entry('wordpress', 'WordPress.com', ['wordpress.com'], { dnsPage: 'https://wordpress.com/domains/manage' }),
  entry('weebly', 'Weebly', ['weebly.com']),
  entry('hostinger', 'Hostinger', ['dns-parking.com', 'hostinger.com'], {
    apexAlias: null,
    dnsPage: 'https://hpanel.hostinger.com/domains',
    parking: ['2.57.91.91', '84.32.84.32'],
  }),
  entry('porkbun', 'Porkbun', ['ns.porkbun.com'], {
    apexName: '',
    apexAlias: 'ALIAS',
    dnsPage: 'https://porkbun.com/account/domainsSpeedy',
    parking: ['44.227.65.245', '44.227.76.166'],
    forwarding: ['44.230.85.241', '52.33.207.7'],
  }),
  entry('namecom', 'Name.com', ['name.com'], { apexAlias: 'ANAME', dnsPage: 'https://www.name.com/account/domain' }),
  entry('dynadot', 'Dynadot', ['dyna-ns.net', 'dynadot.com'], { apexName: '', apexAlias: 'ANAME' }),
  entry('namesilo', 'NameSilo', ['dnsowl.com', 'namesilo.com'], {
    apexName: '',
    apexAlias: null,
    dnsPage: 'https://www.namesilo.com/account_domains.php',
    parking: ['209.141.38.71', '107.161.23.204', '192.161.187.200'],
  }),
  entry('spaceship', 'Spaceship', ['spaceship.net'], {
    dnsPage: 'https://www.spaceship.com/application/domain-list-application/',
  }),
  entry('epik', 'Epik', ['epik.com']),
  entry('hover', 'Hover', ['hover.com'], {
    dnsPage: 'https://www.hover.com/control_panel/domains',
    parking: ['216.40.34.41'],
  }),
  entry('opensrs', 'Tucows (OpenSRS)', ['systemdns.com']),
  entry('enom', 'eNom', ['name-services.com']),
  entry('networksolutions', 'Network Solutions', ['worldnic.com']),
  entry('registercom', 'Register.com', ['register.com']),
  entry('namebright', 'NameBright', ['namebrightdns.com']),
  entry('101domain', '101domain', ['101domain.com']),
  entry('topdns', 'Internet.bs', ['topdns.com']),
  entry('rrpproxy', 'Key-Systems', ['rrpproxy.net']),
  entry('resellerclub', 'ResellerClub', ['orderbox-dns.com']),
  entry('bluehost', 'Bluehost', ['bluehost.com']),
  entry('hostgator', 'HostGator', ['hostgator.com', 'websitewelcome.com', 'hostgator.com.br']),
  entry('dreamhost', 'DreamHost', ['dreamhost.com'], {
    apexName: '',
    dnsPage: 'https://panel.dreamhost.com/index.cgi?tree=domain.manage',
  }),
  entry('siteground', 'SiteGround', [
    'siteground.net',
    'siteground.com',
    'sgvps.net',
    'siteground.biz',
    'siteground.eu',
  ]),
  entry('a2', 'A2 Hosting', ['a2hosting.com', 'a2dns.com']),
  entry('inmotion', 'InMotion Hosting', ['inmotionhosting.com', 'webhostinghub.com']),
  entry('freenom', 'Freenom', ['freenom.com']),
  entry('crazydomains', 'Crazy Domains', ['crazydomains.com']),
  entry('ventraip', 'VentraIP', ['nameserver.net.au']),
  entry('synergy', 'Synergy Wholesale', ['partnerconsole.net']),
]

// Registrars and hosters that are known mostly in Asia or South America.

export const elsewhere: readonly Provider[] = [
  entry('sakura', 'Sakura Internet', ['dns.ne.jp']),
  entry('onamae', 'Onamae.com', ['dnsv.jp', 'onamae.com']),
  entry('muumuu', 'Muumuu Domain', ['muumuu-domain.com']),
  entry('xserver', 'Xserver', ['xserver.jp']),
  entry('valuedomain', 'Value Domain', ['value-domain.com']),
  entry('gabia', 'Gabia', ['gabia.co.kr', 'gabia.net']),
  entry('cafe24', 'Cafe24', ['cafe24.com']),
  entry('locaweb', 'Locaweb', ['locaweb.com.br']),
  entry('registrobr', 'Registro.br', ['auto.dns.br']),
]
