// Values as shelters and shops write them, and what they mean. What is not certain has no match.

import { expect, test } from 'vitest'
import { neuteredBySex, proposeMatch, type MatchedField } from './values.ts'

const today = '2026-11-17'
const meant = (field: MatchedField, value: string, names: readonly string[] = []) => {
  const categories = names.map((name, index) => ({ id: BigInt(index + 1), name }))
  const { action, to } = proposeMatch(field, value, { categories, today })
  return action === 'use' ? (field === 'category' ? names[Number(to) - 1] : to) : action
}

/** Words by what they mean. */
const cases: readonly [MatchedField, Readonly<Record<string, string>>][] = [
  [
    'sex',
    {
      male: 'M,MN,M/N,Neutered Male,männl.,Rüde (kastriert),♂,Kater,Macho,reu,boy,Kastrat,maennlich,Male - intact',
      female: 'F,FS,F/S,spayed female,weibl.,Hündin,♀,hembra,femelle stérilisée,teef,girl,W,v',
      clear: 'unknown,U,-,?,unbekannt',
      none: 'both,pair,M/F',
    },
  ],
  [
    'size',
    {
      small: 'S,Small,toy,klein,Pequeño,petite',
      medium: 'M,Med,Medium (10-25kg),mittelgroß,moyen',
      large: 'L,groß,grand,groot',
      extra_large: 'XL,X-Large,sehr groß,muy grande',
      none: 'S-M,M/L,small to medium,45 cm,Medium-Large',
    },
  ],
  [
    'goodWithChildren',
    {
      yes: 'Y,yes,Sí,oui,✓,x,1,TRUE,loves kids,yes - loves them,OK',
      no: 'N,No,nein (zu wild),non,✗,0,hates them',
      unknown: '?,—,n/a,not tested,non testé,no idea,8+,ab 12 J.,nur größere,Yes (supervised),Older kids only,bedingt',
      none: 'mit Vorsicht,ask Anna',
    },
  ],
  [
    'isNeutered',
    {
      yes: 'yes,spayed,kastriert,12/03/2024,done 3/2024,J,ja (2024),opérée',
      no: 'intact,not yet,scheduled,geplant,too young,12/03/2027,booked 12/12/2026',
      unknown: 'N/A,unknown',
      none: 'ask the vet',
    },
  ],
  [
    'isVaccinated',
    { yes: 'UTD,up to date,à jour,vollst.,2024-05-01', no: 'due,not yet', unknown: '1. Impfung,partial' },
  ],
  [
    'status',
    {
      available: 'Available,zu vermitteln,à adopter,Busca hogar,in foster,yes,Ready now,beschikbaar,im Tierheim',
      pending:
        'On hold,Reserved (Smith),reserviert (Fam. Müller),App pending,en cours d’adoption,res.,Pre-adopted,trial',
      sold: 'Adopted 12/03/2024,vermittelt,adoptée,sold 3/4,went home 11/3,geadopteerd,happy tail',
      skip: 'Died 2/2024,verstorben,RTO,transferred',
      none: 'no,nein,quarantine,medical hold,not available,nicht verfügbar,coming soon,wird vermittelt,ausverkauft,at vet',
    },
  ],
  [
    'age',
    {
      '2024': '2 yrs,2y,2,2 years old,two years,2 ans,2 años,2 Jahre alt',
      '2024-08': '2 yrs 3 mo,2y3m',
      '2025-05': '18 months,1 1/2 years,1½,año y medio,1 Jahr 6 Monate',
      '2026-09': '8 weeks,10 wks,9 Wochen',
      '2023': 'ca. 3 Jahre,unos 3 años,Adult (3 yrs)',
      '2019': '6-7 yrs,2019',
      clear: 'adult,young,unknown,n/a',
      none: '<1,10+,under 1 year,3-4,old as the hills',
    },
  ],
]

test.each(cases)('values of %s mean what people mean', (field, words) => {
  for (const [meaning, list] of Object.entries(words)) {
    const found = list.split(',').map((value) => [value, meant(field, value)])
    expect(found).toEqual(list.split(',').map((value) => [value, meaning]))
  }
})

test('a sex may tell whether an animal is neutered', () => {
  const says = (list: string) => new Set(list.split(',').map(neuteredBySex))
  expect(says('MN,FS,m/k,w/k,Neutered Male,Rüde (kastriert),mâle castré,femelle stérilisée')).toEqual(new Set(['yes']))
  expect(says('intact female,FI,Hündin (nicht kastriert),femelle non stérilisée,unkastriert')).toEqual(new Set(['no']))
  expect(says('M,female,Kater,?')).toEqual(new Set([undefined]))
})

test('a kind goes to the category of that kind, then to a wider one, then to a new one', () => {
  const names = ['Hunde', 'Birds', 'Small animals', 'Parrots']
  expect(meant('category', 'dog', names)).toBe('Hunde')
  expect(meant('category', 'A (Stray Dog)', names)).toBe('Hunde')
  expect(meant('category', 'Wellensittich', names)).toBe('Birds')
  expect(meant('category', 'Graupapagei', names)).toBe('Parrots')
  expect(meant('category', 'Gerbils', names)).toBe('Small animals')
  expect(meant('category', 'Alpaca', names)).toBe('create')
  expect(meant('category', 'Bird', ['Budgies'])).toBe('create')
})
