// The columns of files that three programs write, and of our own export. Pure data, and the functions that look them up.

import { importFields, type ImportField, type Preset } from '@petstore-platform/contract/platform/import-shapes'
import { plainWord } from '@petstore-platform/contract/platform/spelled-words'

/** Exactly the names of an export. */
const own = new Map<string, ImportField>(importFields.map((field) => [field, field]))

const fieldOfOwnTitle = (title: string): ImportField | undefined => own.get(title.trim())

type ProgramFile = {
  /** Columns that only this program has; two of them are enough. */
  marks: readonly string[]
  fields: Readonly<Record<string, ImportField | null>>
}

const programs: Readonly<Record<Exclude<Preset, 'petstore'>, ProgramFile>> = {
  asm3: {
    marks: [
      'ANIMALNAME',
      'ANIMALBREED1',
      'ANIMALDOB',
      'ANIMALGOODWITHKIDS',
      'ANIMALENTRYDATE',
      'ANIMALSPECIES',
      'ANIMALCODE',
    ],
    fields: {
      ANIMALCODE: 'externalId',
      ANIMALNAME: 'name',
      ANIMALSPECIES: 'category',
      ANIMALTYPE: 'category',
      ANIMALBREED1: 'breed',
      ANIMALBREED2: 'secondBreed',
      ANIMALCROSSBREED: 'isMixed',
      ANIMALSEX: 'sex',
      ANIMALSIZE: 'size',
      ANIMALCOATTYPE: 'coat',
      ANIMALCOLOR: 'color',
      ANIMALWEIGHT: 'weightKilograms',
      ANIMALDOB: 'born',
      ANIMALAGE: 'age',
      ANIMALESTIMATEDDOB: 'isBornEstimated',
      ANIMALGOODWITHKIDS: 'goodWithChildren',
      ANIMALGOODWITHDOGS: 'goodWithDogs',
      ANIMALGOODWITHCATS: 'goodWithCats',
      ANIMALNEUTERED: 'isNeutered',
      ANIMALVACCINATED: 'isVaccinated',
      ANIMALHOUSETRAINED: 'isHouseTrained',
      ANIMALHEALTHPROBLEMS: 'specialNeeds',
      ANIMALDESCRIPTION: 'story',
      ANIMALCOMMENTS: 'story',
      ANIMALHIDDENDETAILS: 'internalNotes',
      ANIMALMICROCHIP: 'chipNumber',
      ANIMALLOCATION: 'location',
      ANIMALENTRYDATE: 'inCareSince',
      ANIMALFEE: 'fee',
      ANIMALIMAGE: 'photos',
      ANIMALNOTFORADOPTION: 'isHidden',
    },
  },
  petfinder: {
    marks: ['AnimalName', 'PrimaryBreed', 'NoKids', 'NoDogs', 'NoCats', 'SecondaryBreed'],
    fields: {
      ID: 'externalId',
      Internal: null,
      AnimalName: 'name',
      Type: 'category',
      PrimaryBreed: 'breed',
      SecondaryBreed: 'secondBreed',
      Mix: 'isMixed',
      Sex: 'sex',
      Size: 'size',
      Age: 'age',
      Desc: 'story',
      Status: 'status',
      Shots: 'isVaccinated',
      Altered: 'isNeutered',
      Housetrained: 'isHouseTrained',
      NoKids: 'notGoodWithChildren',
      NoDogs: 'notGoodWithDogs',
      NoCats: 'notGoodWithCats',
      specialNeeds: 'specialNeeds',
      photo1: 'photos',
      photo2: 'photos',
      photo3: 'photos',
      photo4: 'photos',
      photo5: 'photos',
      photo6: 'photos',
    },
  },
  shelterluv: {
    marks: ['DOBUnixTime', 'CoverPhoto', 'CurrentWeightPounds', 'LastIntakeUnixTime', 'Internal-ID'],
    fields: {
      ID: 'externalId',
      'Internal-ID': 'externalId',
      Name: 'name',
      Type: 'category',
      Breed: 'breed',
      Sex: 'sex',
      Size: 'size',
      Color: 'color',
      Pattern: null,
      Age: null,
      DOBUnixTime: 'born',
      CurrentWeightPounds: 'weightPounds',
      Altered: 'isNeutered',
      Status: 'status',
      Description: 'story',
      CoverPhoto: 'photos',
      Photos: 'photos',
      Attributes: 'traits',
      Microchips: 'chipNumber',
      LastIntakeUnixTime: 'inCareSince',
      AdoptionFee: 'fee',
    },
  },
}

/** How many titles of our own a file needs to be an export of ours. */
const OWN_MARKS = 3

export function presetOf(found: readonly string[]): Preset | null {
  const spelled = new Set(found.map((title) => title.trim()))
  if (spelled.has('categoryId') && found.filter((title) => fieldOfOwnTitle(title)).length >= OWN_MARKS)
    return 'petstore'
  const plain = new Set(found.map(plainWord))
  const program = (Object.keys(programs) as (keyof typeof programs)[]).find(
    (name) => programs[name].marks.filter((mark) => plain.has(plainWord(mark))).length >= 2,
  )
  return program ?? null
}

/** Undefined if the program has no such column; null if it is of no use here. */
export function fieldInProgram(preset: Preset, title: string): ImportField | null | undefined {
  if (preset === 'petstore') return fieldOfOwnTitle(title)
  return programFields[preset].get(plainWord(title))
}

const lookup = ({ fields }: ProgramFile): ReadonlyMap<string, ImportField | null> =>
  new Map(Object.entries(fields).map(([title, field]) => [plainWord(title), field]))

const programFields = {
  asm3: lookup(programs.asm3),
  petfinder: lookup(programs.petfinder),
  shelterluv: lookup(programs.shelterluv),
}
