// Portraits stand in for animals without a photo. The kind is read from the name of the category, in the languages of
// the dashboard and the sites; which portrait of a kind an animal gets depends on its identifier alone, so it is the
// same everywhere and for ever. Pure.

const portraits = {
  dog: ['dog-1', 'dog-2', 'dog-3', 'dog-4'],
  cat: ['cat-1', 'cat-2', 'cat-3'],
  rabbit: ['rabbit-1', 'rabbit-2'],
  bird: ['budgie-1', 'parrot-1'],
  parrot: ['parrot-1'],
  budgie: ['budgie-1'],
  hen: ['hen-1'],
  tortoise: ['tortoise-1'],
  rodent: ['guinea-pig-1'],
  fish: ['paw-1'],
} as const
const PAW = 'paw-1'

export type AnimalKind = keyof typeof portraits
/** A file of `server/assets/portraits`, without its ending. */
export type PortraitName = (typeof portraits)[AnimalKind][number]
/** Each once. */
export const portraitNames: readonly PortraitName[] = [...new Set(Object.values(portraits).flat())]

/** Words of English, German, French and Spanish, without accents; phrases where one word alone says nothing. */
const words: Readonly<Record<AnimalKind, string>> = {
  dog: 'dog dogs doggy puppy puppies pup pups hound hounds hund hunde hunden hundin hundinnen welpe welpen ruede rueden rude ruden chien chiens chienne chiennes chiot chiots perro perros perra perras perrito perritos cachorro cachorros',
  cat: 'cat cats kitten kittens kitty kitties katze katzen kater katzchen kaetzchen chat chats chatte chattes chaton chatons gato gatos gata gatas gatito gatitos',
  rabbit:
    'rabbit rabbits bunny bunnies hare hares kaninchen hase hasen zwergkaninchen lapin lapins lapine lapines conejo conejos coneja conejas',
  bird: 'bird birds canary canaries vogel voegel kanarienvogel oiseau oiseaux canari canaris ave aves pajaro pajaros canario canarios',
  parrot:
    'parrot parrots macaw macaws cockatoo cockatoos papagei papageien perroquet perroquets ara aras loro loros papagayo papagayos',
  budgie:
    'budgie budgies budgerigar budgerigars parakeet parakeets cockatiel cockatiels sittich sittiche wellensittich wellensittiche perruche perruches periquito periquitos',
  hen: 'hen hens chicken chickens rooster roosters poultry huhn huhner huehner henne hennen hahn hahne gefluegel geflugel poule poules coq coqs poulet poulets volaille volailles gallina gallinas gallo gallos pollo pollos',
  tortoise:
    'tortoise tortoises turtle turtles terrapin terrapins reptile reptiles lizard lizards schildkrote schildkroten schildkroete schildkroeten reptil reptilien tortue tortues tortuga tortugas reptiles',
  rodent:
    'hamster hamsters guineapig guineapigs gerbil gerbils mouse mice rat rats rodent rodents cavy cavies meerschwein meerschweine meerschweinchen kleintier kleintiere nagetier nagetiere nager maus mause maeuse ratte ratten cochon-d-inde cochons-d-inde rongeur rongeurs souris cobaye cobayes cobaya cobayas cuy cuyes roedor roedores raton ratones hamsteres conejillo-de-indias conejillos-de-indias guinea-pig guinea-pigs small-animal small-animals small-pet small-pets petit-animal petits-animaux pequenos-animales animales-pequenos',
  fish: 'fish fishes goldfish fisch fische poisson poissons pez peces',
}

const kinds = new Map(
  (Object.keys(words) as AnimalKind[]).flatMap((kind) => words[kind].split(' ').map((word) => [word, kind] as const)),
)
const PHRASE_WORDS_MAX = 3
/** Shorter endings would be found by accident: kitchens are not hens. */
const ENDING_LENGTH_MIN = 5

/** Undefined for a category whose name says no kind, or several: a wrong animal would be worse than a paw. */
export function kindOf(categoryName: string | undefined): AnimalKind | undefined {
  const found = plain(categoryName ?? '').match(/\p{L}+/gu) ?? []
  const named = new Set(found.flatMap((_, at) => kindAt(found, at) ?? []))
  const [only] = named
  return named.size === 1 ? only : undefined
}

function kindAt(found: readonly string[], at: number): AnimalKind | undefined {
  for (let length = PHRASE_WORDS_MAX; length > 0; length -= 1) {
    const kind = kinds.get(found.slice(at, at + length).join('-'))
    if (kind !== undefined) return kind
  }
  return kindOfEnding(found[at] ?? '')
}

/** Compounds end with their kind: Jagdhunde, Hauskatzen, sheepdogs do. */
function kindOfEnding(word: string): AnimalKind | undefined {
  for (let start = 1; start <= word.length - ENDING_LENGTH_MIN; start += 1) {
    const kind = kinds.get(word.slice(start))
    if (kind !== undefined) return kind
  }
  return undefined
}

export function portraitOf(categoryName: string | undefined, id: bigint): PortraitName {
  const kind = kindOf(categoryName)
  if (kind === undefined) return PAW
  return portraits[kind][choiceOf(id, portraits[kind].length)] ?? PAW
}

/** One of `count` for this identifier; neighbours differ, even if only every second one is of a kind. */
export const choiceOf = (id: bigint, count: number): number =>
  Number((BigInt.asUintN(64, id * 0x9e3779b97f4a7c15n) >> 33n) % BigInt(count))

const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
