// Parking providers run nameservers that give the same answer for every name: an
// advertisement, "for sale", or a page of the registrar that has suspended the name. Owners
// cannot add a record there, so advice must not request one.

import { block, entry, type Provider } from './provider.ts'

const isParking = { isParking: true, apexAlias: null } as const

export const parking: readonly Provider[] = [
  entry('sedo', 'Sedo', ['sedoparking.com'], {
    ...isParking,
    parking: ['91.195.240.94', '91.195.241.137', '64.190.63.136'],
  }),
  entry('parkingcrew', 'ParkingCrew', ['parkingcrew.net'], {
    ...isParking,
    parking: ['185.53.177.20', '185.53.178.9'],
  }),
  entry('bodis', 'Bodis', ['bodis.com'], {
    ...isParking,
    parking: [...block('199.59.243.', 200, 228), '199.59.242.153'],
  }),
  entry('above', 'Above.com', ['above.com', 'abovedomains.com'], { ...isParking, parking: ['103.224.182.210'] }),
  entry('dan', 'Dan.com', ['dan.com', 'undeveloped.com'], { ...isParking, parking: ['3.64.163.50', '52.58.78.16'] }),
  entry('afternic', 'Afternic', ['afternic.com', 'smartname.com'], isParking),
  entry('cashparking', 'GoDaddy CashParking', ['cashparking.com'], isParking),
  entry('parklogic', 'ParkLogic', ['parklogic.com'], isParking),
  entry('voodoo', 'Voodoo', ['voodoo.com'], isParking),
  entry('ztomy', 'Rook Media', ['ztomy.com', 'rookdns.com'], isParking),
  entry('fabulous', 'Fabulous', ['fabulous.com'], isParking),
  entry('uniregistry', 'Uniregistry', ['uniregistrymarket.link', 'uniregistry-dns.com'], isParking),
  entry('brandbucket', 'BrandBucket', ['brandbucket.com'], isParking),
  entry('atom', 'Atom', ['atom.com', 'squadhelp.com'], isParking),
  entry('efty', 'Efty', ['efty.com'], isParking),
]

/** Suffixes of the nameservers that registrars assign to suspended names. */
export const holds: readonly string[] = [
  'suspended-domain.com',
  'pendingrenewaldeletion.com',
  'renewyourname.net',
  'failed-whois-verification.namecheap.com',
  'verify-contact-details.namecheap.com',
]

/** Labels with the same meaning in a registrar's own zone: `expired1.registrar.example`. */
export const holdLabel =
  /^(verification-hold|(ns\d?-)?(expired|suspended)(-?(domains?|dns|ns))?\d*|(domain|dns)-?(expired|suspended)|on-?hold|(client|server)hold)$/
