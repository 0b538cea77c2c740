// Titles as shelters and shops write them, each above values of its kind: what is mapped, and, as important, what is not.

import { expect, test } from 'vitest'
import type { ImportField } from '@petstore-platform/contract/platform/import-shapes'
import { columnSampler, proposeMapping } from './columns.ts'
import { tableBuilder } from './table.ts'

const TODAY = '2026-11-17'

const values = {
  name: ['Rex', 'Luna', 'Mr. Whiskers'],
  breed: ['Labrador mix', 'Beagle', 'EKH'],
  sex: ['m', 'f'],
  born: ['12.03.2020', '2019'],
  yn: ['yes', 'no', '?'],
  status: ['available', 'reserved', 'adopted'],
  age: ['2 yrs', '6 months'],
  weight: ['12.5', '4'],
  fee: ['250', '80'],
  date: ['12.03.2024', '05/06/2025'],
  chip: ['276098100123456', '941000026100201'],
  text: ['A lovely calm dog that likes long walks in the park.'],
  cat: ['Dog', 'Cat'],
  size: ['small', 'large'],
  coat: ['short', 'long'],
  color: ['black', 'white/brown'],
  photos: ['https://a.example/1.jpg'],
  id: ['A-12', 'A-13'],
  loc: ['Berlin', 'Hamburg'],
  traits: ['calm, kind'],
  people: ['Mrs Smith', 'John Doe'],
  phone: ['0170 123456'],
  num: ['3', '5'],
  kg: ['12 kg', '4,5 kg'],
} as const satisfies Record<string, readonly string[]>
type Kind = keyof typeof values

const known: readonly [ImportField, Kind, readonly string[]][] = [
  [
    'name',
    'name',
    [
      'Animal Name',
      "Pet's Name",
      'Name of animal',
      'NAME*',
      '1. Name',
      'animal_name',
      'Name des Hundes',
      'Nom du chat',
      'Naam van de hond',
    ],
  ],
  ['sex', 'sex', ['Gender (M/F)', 'Sex of pet', 'Geschlecht (m/w)', 'Sexe (M/F)', 'Sexo (M/H)']],
  [
    'breed',
    'breed',
    [
      'Breed / Type',
      'Predominant breed',
      'Breed (best guess)',
      'Rasse / Mischung',
      'Race (ou apparence)',
      'Type/Breed',
      'Raza / Mestizo',
      'Primary Breed',
    ],
  ],
  ['secondBreed', 'breed', ['Breed2', 'Breed #2', 'Secondary Breed (if mix)']],
  ['category', 'cat', ['Species/Type', 'Animal Type', 'Tierart (Hund/Katze)', 'Dog/Cat', 'Cat or dog?', 'Hund/Katze']],
  [
    'born',
    'born',
    [
      'Date of Birth (approx.)',
      'DOB/Age',
      'Est. DOB',
      'Geb.-Datum',
      'geboren (ca.)',
      'Né(e) le',
      'Date de naissance (approx.)',
      'Fecha de nac.',
      'Year of birth',
    ],
  ],
  ['age', 'num', ['Age (yrs)', 'Age in years', 'Alter (Jahre)']],
  ['age', 'age', ['Alter ca.', 'Âge approximatif', 'Edad aprox.', 'How old?']],
  ['weightKilograms', 'weight', ['Weight (kg)', 'Poids (kg)']],
  ['weightPounds', 'weight', ['Weight (lbs)', 'Wt. (lb)']],
  ['weightGrams', 'weight', ['Gewicht in Gramm']],
  ['weightKilograms', 'kg', ['Current weight']],
  [
    'goodWithChildren',
    'yn',
    [
      'Good with Kids (Y/N)',
      'Kid-friendly',
      'Kinder geeignet',
      'Compatible con niños',
      'Bij kinderen',
      'Can live with children',
      'Children (under 10)',
      'Kids',
      'Kleinkinder',
    ],
  ],
  [
    'goodWithCats',
    'yn',
    [
      'OK w/ cats?',
      'GoodWithCats',
      'Katzenverträglich?',
      "S'entend avec les chats ?",
      'Kan bij katten',
      'Cat?',
      'Lived with cats',
    ],
  ],
  [
    'goodWithDogs',
    'yn',
    [
      'Gets on with dogs',
      'good_with_dogs',
      'Verträglich mit anderen Hunden',
      'Entente avec chiens',
      '¿Se lleva bien con perros?',
      'Dog',
      'Dogs OK?',
      'Dog tested',
      'Other dogs',
    ],
  ],
  ['notGoodWithChildren', 'yn', ['No small children']],
  [
    'isNeutered',
    'yn',
    [
      'Neutered/Spayed?',
      'Spay/Neuter',
      'Desexed (Y/N)',
      'Fixed?',
      'kastriert (j/n)',
      'Kastr./Steril.',
      'Stérilisé / castré',
      '¿Esterilizado?',
      'Gecastreerd/gesteriliseerd',
    ],
  ],
  [
    'isVaccinated',
    'yn',
    [
      'Vaccinated?',
      'Vaccines UTD',
      'Shots up-to-date?',
      'Impfung vollständig',
      'Vacciné(e)',
      '¿Vacunado?',
      'Vaccination status',
    ],
  ],
  ['isHouseTrained', 'yn', ['House-trained', 'Housetrained?', 'Stubenrein?', 'Propreté', 'Toilet trained?']],
  [
    'fee',
    'fee',
    [
      'Adoption fee (£)',
      'Fee £',
      'Adoption Fee USD',
      'Schutzgebühr (€)',
      "Frais d'adoption (€)",
      'Tasa adopción',
      'Price (incl. VAT)',
      'Preis inkl. MwSt.',
      'RRP',
    ],
  ],
  [
    'inCareSince',
    'date',
    [
      'Intake date',
      'Date of intake',
      'Arrived',
      'Date admitted',
      'Im Tierheim seit',
      'Aufnahme',
      'Arrivée au refuge',
      'Fecha de llegada',
    ],
  ],
  ['chipNumber', 'chip', ['Microchip No.', 'Chip-Nr.', 'N° de puce', 'Nº chip', 'Microchip']],
  ['status', 'status', ['Status', 'Adoption Status', 'Aktueller Status', 'Current state']],
  [
    'story',
    'text',
    ['Description', 'Bio', 'About the animal', 'Comments', 'Web description', 'Beschreibung für Homepage'],
  ],
  ['internalNotes', 'text', ['Notes', 'Notas internas', 'Bemerkung', 'Remarques']],
  ['specialNeeds', 'text', ['Medical notes', 'Health']],
  ['coat', 'coat', ['Coat length', 'Fell']],
  ['color', 'color', ['Colour/Markings', 'Farbe']],
  ['size', 'size', ['Size (S/M/L)', 'Größe (S-XL)']],
  ['photos', 'photos', ['Photo URL', 'Picture 1', 'Bild-URL', 'Website link', 'Facebook']],
  ['location', 'loc', ['Location', 'City', 'Ort']],
  ['externalId', 'id', ['Shelter ID', 'Ref. no.', 'Tier-ID', 'Número de ficha']],
  ['traits', 'traits', ['Temperament', 'Caractère']],
  ['isFeatured', 'yn', ['Featured?']],
  ['isShown', 'yn', ['On website? (Y/N)', 'Publish']],
]

const foreign: readonly [Kind, readonly string[]][] = [
  [
    'people',
    [
      'Adopter Name',
      "Owner's name",
      'Foster name',
      'Vet',
      'Name Pflegestelle',
      'Nom adoptant',
      'Pflegestelle',
      'Email',
    ],
  ],
  ['num', ['Kennel', 'Größe in cm', 'Shoulder height', 'Kennel No.', 'Litter', 'Quantity', 'Walks per day']],
  [
    'date',
    [
      'Neutered date',
      'Kastration am',
      'Next vaccination due',
      'Nächste Impfung',
      'Vaccination date',
      'Adoption date',
      'Date adopted',
      'Vermittelt am',
      "Date d'adoption",
      'Last updated',
      'Date',
      'Datum',
    ],
  ],
  ['fee', ['Cost price', 'Einkaufspreis', "Prix d'achat", 'Vet costs', 'Deposit']],
  [
    'yn',
    [
      'Microchipped?',
      'Gechipt',
      'Chip?',
      'Chipped',
      'Adopted?',
      'Reserved',
      'FIV status',
      'Photo?',
      'FIV/FeLV',
      'Declawed',
      'Heartworm',
      'Dewormed',
      'Garden needed',
      'Crate trained',
      'Leash trained',
      'Insurance',
      'Freigänger',
      'Wohnungskatze',
      'LOF',
      'Pedigree',
      'EU-Heimtierausweis',
    ],
  ],
  ['color', ['Eye colour', 'Collar colour']],
  ['id', ['Passport No', 'Tattoo', 'Invoice No', 'Cage #']],
  ['phone', ['Phone']],
  ['age', ['Age at intake']],
  ['breed', ["Mother's breed"]],
  ['loc', ['Origin', 'Herkunft']],
  ['name', ['Bonded with']],
  ['text', ['Indoor/Outdoor', 'Reason for surrender', 'Abgabegrund', "Motif d'abandon", 'Motivo de abandono']],
  ['size', ['Energy level', 'Exercise']],
]

const fieldOf = (title: string, samples: readonly string[]) => {
  const sampler = columnSampler([title])
  for (const sample of [...samples, samples[0] ?? '']) sampler.add([sample])
  return proposeMapping(sampler.columns(), TODAY).fields[0]
}

test.each(known)('a column with %s is found above values such as %s', (field, kind, titles) => {
  // An identifier occurs once.
  const samples = kind === 'id' ? values.id.slice(0, 1) : values[kind]
  const found = titles.map((title) => [title, proposeMapping([{ title, samples, repeats: 0 }], TODAY).fields[0]])
  expect(found).toEqual(titles.map((title) => [title, field]))
})

test.each(foreign)('titles that mean none of our fields stay unmapped above values such as %s', (kind, titles) => {
  expect(titles.map((title) => [title, fieldOf(title, values[kind])])).toEqual(titles.map((title) => [title, null]))
})

test('a title that its values contradict is not believed (negative control)', () => {
  expect(fieldOf('Microchip', values.chip)).toBe('chipNumber')
  expect(fieldOf('Microchip', values.yn)).toBeNull()
  expect(fieldOf('Size', ['45 cm', '60 cm'])).toBeNull()
})

test('what is in a column decides about a title that may mean several things', () => {
  expect(fieldOf('Dog', values.name)).toBe('name')
  expect(fieldOf('Dog', values.yn)).toBe('goodWithDogs')
  expect(fieldOf('Animal', values.cat)).toBe('category')
  expect(fieldOf('Age', values.date)).toBe('born')
  expect(fieldOf('State', values.status)).toBe('status')
})

test('columns with unknown titles are found by their values, if these can only be one thing', () => {
  expect(fieldOf('What is it?', values.cat)).toBe('category')
  expect(fieldOf('', values.photos)).toBe('photos')
  expect(fieldOf('Boy/lady?', ['female', 'male'])).toBe('sex')
  expect(fieldOf('Column 7', values.chip)).toBe('chipNumber')
  expect(fieldOf('Column 7', values.date)).toBeNull()
  expect(fieldOf('Column 7', values.yn)).toBeNull()
})

test('the more certain title gets a field, wherever it stands', () => {
  const fields = (titles: readonly string[]) =>
    proposeMapping(
      titles.map((title) => ({ title, samples: values.cat, repeats: 5 })),
      TODAY,
    ).fields
  expect(fields(['Type', 'Species'])).toEqual([null, 'category'])
})

test('a number that only counts the rows identifies no animal', () => {
  expect(fieldOf('Nr.', ['1', '2', '3'])).toBeNull()
  expect(proposeMapping([{ title: 'Nr.', samples: ['104', '107'], repeats: 0 }], TODAY).fields).toEqual(['externalId'])
})

test('a unit that only the title names is written behind the numbers', () => {
  const rows = [
    { row: 1, cells: ['Name', 'Age (months)', 'Weight (oz)'] },
    { row: 2, cells: ['Rex', '14', '30'] },
  ]
  expect(tableBuilder(rows, TODAY).add(rows)).toEqual([{ row: 2, cells: ['Rex', '14 months', '30 oz'] }])
})

test('where prices are in dollars and months come first, weights are in pounds', () => {
  const columns = [
    { title: 'Weight', samples: ['45', '12.5'], repeats: 0 },
    { title: 'Fee', samples: ['$150'], repeats: 0 },
    { title: 'DOB', samples: ['3/14/2024'], repeats: 0 },
  ]
  expect(proposeMapping(columns, TODAY).fields[0]).toBe('weightPounds')
  expect(proposeMapping(columns.slice(0, 1), TODAY).fields[0]).toBe('weightKilograms')
})
