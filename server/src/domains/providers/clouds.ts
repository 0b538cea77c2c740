// Clouds, application hosters and companies that offer only DNS. `apexAlias` is null where an
// alias can only point to targets inside the same cloud.

import { entry, type Provider } from './provider.ts'

export const clouds: readonly Provider[] = [
  entry('cloudflare', 'Cloudflare', ['ns.cloudflare.com', 'secondary.cloudflare.com'], {
    apexAlias: 'CNAME',
    dnsPage: 'https://dash.cloudflare.com/?to=/:account/:zone/dns',
  }),
  entry('route53', 'Amazon Route 53', [], {
    pattern: /^ns-\d{1,4}\.awsdns-\d{1,2}\.(com|net|org|co\.uk)$/,
    apexName: '',
    apexAlias: null,
    dnsPage: 'https://console.aws.amazon.com/route53/v2/hostedzones',
  }),
  entry('azure', 'Azure DNS', ['azure-dns.com', 'azure-dns.net', 'azure-dns.org', 'azure-dns.info'], {
    apexAlias: null,
    dnsPage: 'https://portal.azure.com/#browse/Microsoft.Network%2FdnsZones',
  }),
  // Names bought at Google Domains are at Squarespace now, with the same nameservers as
  // Google Cloud's.
  entry('google', 'Google Cloud DNS or Squarespace (before: Google Domains)', ['googledomains.com'], {
    pattern: /^ns-gcp-[a-z0-9-]+\.google\.com$/,
  }),
  entry('oracle', 'Oracle Cloud DNS', ['dns.oraclecloud.net'], { apexAlias: 'ALIAS' }),
  entry('dyn', 'Dyn', ['dynect.net'], { apexAlias: 'ALIAS' }),
  entry('ultradns', 'UltraDNS', [
    'ultradns.com',
    'ultradns.net',
    'ultradns.org',
    'ultradns.biz',
    'ultradns.info',
    'ultradns.co.uk',
  ]),
  entry('akamai', 'Akamai Edge DNS', ['akam.net']),
  entry('linode', 'Linode (Akamai)', ['linode.com'], {
    apexName: '',
    apexAlias: null,
    dnsPage: 'https://cloud.linode.com/domains',
  }),
  entry('digitalocean', 'DigitalOcean', ['digitalocean.com'], {
    apexAlias: null,
    dnsPage: 'https://cloud.digitalocean.com/networking/domains',
  }),
  entry('vultr', 'Vultr', ['vultr.com'], { dnsPage: 'https://my.vultr.com/dns/' }),
  entry('scaleway', 'Scaleway', ['dom.scw.cloud', 'online.net']),
  entry(
    'hetzner',
    'Hetzner',
    ['ns.hetzner.com', 'ns.hetzner.de', 'your-server.de', 'second-ns.com', 'second-ns.de', 'first-ns.de'],
    {
      needsDot: true,
      apexAlias: null,
      dnsPage: 'https://dns.hetzner.com/',
    },
  ),
  entry('contabo', 'Contabo', ['contabo.net']),
  entry('yandex', 'Yandex', ['yandexcloud.net', 'dns1.yandex.net', 'dns2.yandex.net']),
  entry('selectel', 'Selectel', ['selectel.ru', 'selectel.org']),
  entry('alibaba', 'Alibaba Cloud', ['hichina.com', 'alidns.com'], { dnsPage: 'https://dns.console.aliyun.com/' }),
  entry('dnspod', 'DNSPod', ['dnspod.net', 'dnsv2.com', 'dnsv3.com', 'dnsv4.com', 'dnsv5.com'], {
    dnsPage: 'https://console.dnspod.cn/',
  }),
  entry('huawei', 'Huawei Cloud', ['hwclouds-dns.com', 'hwclouds-dns.net']),
  entry('rackspace', 'Rackspace', ['stabletransit.com', 'ns.rackspace.com']),
  entry('vercel', 'Vercel', ['vercel-dns.com', 'zeit.world'], {
    apexAlias: 'ALIAS',
    dnsPage: 'https://vercel.com/dashboard/domains',
  }),
  // Netlify's DNS is NS1's, under the same names.
  entry('ns1', 'NS1 or Netlify', ['nsone.net'], { apexAlias: 'ALIAS' }),
  entry('bunny', 'bunny.net', ['kiki.bunny.net', 'coco.bunny.net'], { dnsPage: 'https://dash.bunny.net/dns' }),
  entry('gcore', 'Gcore', ['gcorelabs.net', 'gcdn.services']),
  entry('dnsimple', 'DNSimple', ['dnsimple.com', 'dnsimple-edge.net', 'dnsimple-edge.org', 'dnsimple-edge.com'], {
    apexName: '',
    apexAlias: 'ALIAS',
    dnsPage: 'https://dnsimple.com/dashboard',
  }),
  entry('dnsmadeeasy', 'DNS Made Easy', ['dnsmadeeasy.com'], { apexName: '', apexAlias: 'ANAME' }),
  entry('constellix', 'Constellix', ['constellix.com', 'constellix.net'], { apexAlias: 'ANAME' }),
  entry('cloudns', 'ClouDNS', ['cloudns.net', 'cloudns.uk', 'cloudns.com'], { apexName: '', apexAlias: 'ALIAS' }),
  entry('easydns', 'easyDNS', ['easydns.com', 'easydns.net', 'easydns.org', 'easydns.info', 'easydns.ca'], {
    apexAlias: 'ANAME',
  }),
  entry('he', 'Hurricane Electric', ['ns1.he.net', 'ns2.he.net', 'ns3.he.net', 'ns4.he.net', 'ns5.he.net'], {
    names: 'full',
    apexName: 'full',
    apexAlias: null,
    dnsPage: 'https://dns.he.net/',
  }),
  entry('desec', 'deSEC', ['desec.io', 'desec.org'], {
    needsDot: true,
    apexAlias: null,
    dnsPage: 'https://desec.io/domains',
  }),
  entry('afraid', 'FreeDNS (afraid.org)', ['afraid.org'], { dnsPage: 'https://freedns.afraid.org/domain/' }),
  entry('zoneedit', 'Zoneedit', ['zoneedit.com']),
  entry('fastmail', 'Fastmail', ['messagingengine.com']),
]
