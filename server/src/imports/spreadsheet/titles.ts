// What the title of a column may mean, best first. A title is looked up whole, without what is in parentheses, in its
// parts ("Sex / Gender") and without words that add nothing ("Animal's breed?"); after that, single words decide. A title
// about people, vets or suppliers means none of our fields. Pure.

import type { ImportField } from '@petstore-platform/contract/platform/import-shapes'
import { plainWord, SHORT_LENGTH_MAX, withoutUmlauts } from '@petstore-platform/contract/platform/spelled-words'
import { strongTitles, weakTitles } from './title-words.ts'

/** `weight`: how certain a title is; weak ones count only if the values of the column agree. */
export type Meaning = { field: ImportField; weight: number; isWeak: boolean }

const WHOLE = 6
const PART = 5
const REDUCED = 4
const SENTENCE = 4
const WEAK = 3
const KEYWORD = 2

export function meaningsOf(title: string): Meaning[] {
  const found = new Map<ImportField, Meaning>()
  if (title.length > SHORT_LENGTH_MAX) return []
  const add = (fields: readonly ImportField[], weight: number, isWeak = false) => {
    for (const field of fields) if (!found.has(field)) found.set(field, { field, weight, isWeak })
  }
  const whole = title.replaceAll(/#|№|\bn[º°]/gi, ' no ').replace(NUMBERING, '')
  const bare = whole.replaceAll(/\([^()]*\)|\[[^[\]]*\]|[*:?]|\bin\s+\p{Currency_Symbol}|\p{Currency_Symbol}/gu, ' ')
  const words = wordsIn(bare)
  const reduced = withoutNoise(words)
  const spellings = [whole, bare, words.join(''), reduced.join('')]
  for (const text of spellings.slice(0, 2)) add(strong(text), WHOLE)
  if (isForeign(words)) return [...found.values()]
  const sentence = companyIn(words)
  if (sentence) add([sentence], SENTENCE, words.length === 1)
  const parts = bare.split(/[/|,&+–\n]|\s-\s|\s(?:or|oder|ou|o|of|and|und|et|y|en)\s/)
  if (parts.length > 1) for (const part of parts) add(strong(part), PART)
  for (const text of spellings) add(strong(text), REDUCED)
  if (parts.length > 1) for (const part of parts) add(strong(withoutNoise(wordsIn(part)).join('')), REDUCED)
  for (const text of [...spellings, ...parts]) add(weak(text), WEAK, true)
  add(keywordsIn(words), KEYWORD)
  return [...found.values()].toSorted((one, other) => other.weight - one.weight)
}

/** A title that is certain by its words alone. */
export const isTitle = (text: string): boolean => meaningsOf(text).some(({ isWeak }) => !isWeak)

const multiple = (lists: Readonly<Partial<Record<ImportField, string>>>) => {
  const meanings = new Map<string, ImportField[]>()
  for (const [field, words] of Object.entries(lists) as [ImportField, string][])
    for (const word of words.split(','))
      meanings.set(plainWord(word), [...(meanings.get(plainWord(word)) ?? []), field])
  meanings.delete('')
  return (text: string): readonly ImportField[] =>
    meanings.get(plainWord(text)) ?? meanings.get(withoutUmlauts(plainWord(text))) ?? []
}
const strong = multiple(strongTitles)
const weak = multiple(weakTitles)

/** "1. Name", "A) Name", "Q3: Name". */
const NUMBERING = /^\s*(?:(?:q?\d{1,2})\s*[.):]|[a-z]\s*[):])\s+/i

/** "petName", "pet_name" and "Pet's name" have two words each. */
export const wordsIn = (title: string): string[] =>
  title
    .replaceAll(
      /(?<=\p{Lowercase_Letter})(?=\p{Uppercase_Letter})|(?<=\p{Uppercase_Letter})(?=\p{Uppercase_Letter}\p{Lowercase_Letter})/gu,
      ' ',
    )
    .replaceAll(/(?<=\p{Letter})(?=\d)|(?<=\d)(?=\p{Letter})/gu, ' ')
    .replaceAll(/['’]s\b/gi, ' ')
    .split(/[^\p{Letter}\p{Mark}\d]+/u)
    .map(plainWord)
    .filter((word) => word !== '')

const setOf = (words: string) => new Set(words.split(' '))

const fillers = setOf(
  'the of a an is are was has have does do its his her their your our this that please enter der die das des dem den ein eine ist sind hat wird le la les l d de du un une est a il elle son sa el los las del es su al het een van heeft wordt',
)
const subjects = setOf(
  'animal animals animales animaux pet pets dog cat puppy kitten rabbit bird horse tier tiere tieres hund hundes katze vogel chien chat mascota mascotas perro gato dier dieren hond kat current currently aktuell aktuelle aktueller aktuelles actuel actuelle actual huidig huidige',
)
const approximations = setOf(
  'approx approximate approximately approximative about circa ca est estimated roughly ungefahr ungef geschatzt geschatzte geschatztes etwa env environ estime estimee aprox aproximado aproximada estimado estimada ongeveer geschat geschatte',
)
/** Of amounts, ages and answers. */
const units = setOf(
  'kg kgs lb lbs g gr cm eur euro euros usd gbp chf cad aud dollars pounds years yrs year months mths month weeks jahre jahren monate monaten wochen ans annees mois semaines anos meses semanas jaar jaren maanden weken yn yesno jn janein on ouinon sn sino janee url urls link links list optional required',
)
const pairsOfAnswers = [
  ['y', 'n'],
  ['yes', 'no'],
  ['j', 'n'],
  ['ja', 'nein'],
  ['o', 'n'],
  ['oui', 'non'],
  ['s', 'n'],
  ['si', 'no'],
  ['ja', 'nee'],
  ['true', 'false'],
  ['t', 'f'],
] as const

/** Undiminished if nothing else is left. */
function withoutNoise(words: readonly string[]): readonly string[] {
  let left = words
  for (const [yes, no] of pairsOfAnswers)
    if (left.length > 2 && left.at(-2) === yes && left.at(-1) === no) left = left.slice(0, -2)
  for (const noise of [fillers, units, approximations, subjects]) {
    const rest = left.filter((word) => !noise.has(word))
    if (rest.length > 0) left = rest
  }
  return left
}

/** People, their addresses, vets, suppliers, other animals, and dates on which something is due. */
const foreign = setOf(
  'origin herkunft origine origen herkomst previous former bonded partner owner owners adopter adopters adoptor finder fosterer foster fosters carer caretaker vet vets veterinarian veterinary phone tel telephone mobile cell email mail address street zip postcode contact staff volunteer walker insurance insurer invoice supplier vendor breeder breeders donor sponsor sponsors kennel cage pen run feed feeding food diet eye eyes collar lead leash mother father sire dam parents siblings litter due next last expiry expires expiration renewal deposit paid payment balance applicant application applications visit visits score besitzer besitzerin halter halterin eigentumer ubernehmer interessent interessenten finderin tierarzt tierarztin pflegestelle pflegefamilie pate paten patenschaft telefon handy mobil adresse anschrift strasse plz kontakt mitarbeiter lieferant zuchter rechnung zwinger kafig box gehege futter augen augenfarbe halsband mutter vater eltern wurfgeschwister nachste nachster letzte letzter fallig ablauf anzahlung bezahlt kaution proprietaire adoptant adoptants veterinaire accueil telephone portable courriel rue fournisseur eleveur parrain marraine benevole cage nourriture alimentation yeux collier mere pere parents prochain prochaine dernier derniere rappel echeance acompte paye caution dueno propietario adoptante veterinario acogida telefono movil correo direccion calle proveedor criador padrino madrina voluntario jaula comida alimentacion ojos madre padre proximo proxima ultimo ultima vencimiento pagado fianza eigenaar adoptant dierenarts gastgezin telefoon mobiel leverancier fokker vrijwilliger hok voer ogen moeder vader volgende laatste betaald borg tattoo tattooed tatouage tatuaje tatowierung passport pass pasaporte passeport paspoort height hohe schulterhohe hauteur altura schofthoogte quantity qty stock bestand menge stuckzahl quantite cantidad aantal vat mwst tva iva btw ean barcode cost purchase einkauf einkaufspreis ek achat compra inkoop',
)
/** Known to mean something else: what is in the column is not asked then. */
export const isAboutOthers = (title: string): boolean => {
  const words = wordsIn(title)
  return (
    isForeign(words) ||
    keywords.some(
      ({ word, unless }) =>
        words.some((one) => word.test(one)) && unless !== undefined && words.some((one) => unless.test(one)),
    )
  )
}

/** Only the words themselves: titles that the dictionary knows whole are looked up before. */
const isForeign = (words: readonly string[]): boolean => words.some((word) => foreign.has(word))

const companions = [
  [
    'Children',
    setOf(
      'kid kids child children toddler toddlers kind kleinkinder kinder kindern enfant enfants nino ninos ninas kinderen',
    ),
  ],
  [
    'Dogs',
    setOf(
      'dog dogs canine canines hund hunde hunden artgenossen chien chiens congeneres perro perros perras hond honden',
    ),
  ],
  ['Cats', setOf('cat cats feline felines katze katzen chat chats gato gatos gatas kat katten')],
] as const
const company = setOf(
  'good ok okay fine great friendly small young little with w other others likes like gets get along on compatible compatibility safe suitable for live lives lived living social sociable sociability tested test tolerant tolerates accepts to can be housed homed home vertraglich vertraglichkeit vertragl vertr vertragt sich mit zu mag kennt geeignet fur freundlich kompatibel lieb bei zum anderen andere gut passt gewohnt sozial kann leben entente ententes s entend avec bon bonne aime sociabilite cohabitation cohabite accepte peut vivre habitue aux autres compatibilite ok bueno buena apto apta para lleva bien se con convive convivencia sociabilidad compatibilidad otros otras puede vivir tolera goed met kan bij gaat sociaal geschikt voor omgang vriendelijk lief wonen samen andere gewend aan',
)
const negations = setOf('no not never keine kein nicht ohne pas sans non sin geen niet without')

/** "Gets along with other dogs?", "Kids OK", "No cats". */
function companyIn(words: readonly string[]): ImportField | undefined {
  const rest = words.filter((word) => !fillers.has(word))
  const named = companions.filter(([, names]) => rest.some((word) => names.has(word)))
  const [only] = named
  if (!only || named.length > 1) return undefined
  const [who, names] = only
  if (!rest.every((word) => names.has(word) || company.has(word) || negations.has(word))) return undefined
  return rest.some((word) => negations.has(word)) ? `notGoodWith${who}` : `goodWith${who}`
}

const DATE =
  /^(date|dates|datum|fecha|fechas|jour|dia|day|tag|am|le|el|op|on|time|when|wann|quand|cuando|type|reason|grund|motif|motivo|reden|source|certificate|card|book|notes?|details?|history|price|cost|by|number|no|nr|brand|status)$/

type Keyword = { field: ImportField; word: RegExp; unless?: RegExp }
/** In this order: the first that fits decides. */
const keywords: readonly Keyword[] = [
  {
    field: 'secondBreed',
    word: /^(second|secondary|2nd|2|two|zweite|zweit|segunda|secundaria|deuxieme|secondaire|tweede)$/,
  },
  {
    field: 'chipNumber',
    word: /^(micro|mikro)?chip(s|nummer|nr|no)?$|^puce$|^transponder/,
    unless: /^(date|datum|fecha|location|brand|company|lieu|type|registered|registriert)$/,
  },
  {
    field: 'photos',
    word: /^(photos?|pictures?|images?|fotos?|bild|bilder|imagen|imagenes|afbeelding(en)?)$/,
    unless: /^(date|credit|by|release|consent|permission|rights)$/,
  },
  { field: 'isNeutered', word: /^(neuter|spay|kastr|steril|castr|esteril|desex|gecastr|gesteril)/, unless: DATE },
  { field: 'isVaccinated', word: /^(vaccin|vacun|geimpft|impf|shots|gevaccin|ingeent|immuni)/, unless: DATE },
  { field: 'isHouseTrained', word: /^(house(trained|broken)|stubenrein|zindelijk|proprete)/ },
  {
    field: 'born',
    word: /^(birth|birthdate|birthday|born|dob|geburt|geburtsdatum|geburtstag|geboren|naissance|nacimiento|geboorte|geboortedatum)$/,
    unless: /^(place|country|ort|land|lieu|pays|lugar|pais|weight|plaats)$/,
  },
  {
    field: 'inCareSince',
    word: /^(intake|arrival|admission|aufnahme|aufnahmedatum|ankunft|eingangsdatum|arrivee|ingreso|llegada|opnamedatum|aankomst)$/,
    unless:
      /^(type|reason|grund|motif|motivo|reden|source|condition|weight|art|zustand|by|location|status|number|no|nr)$/,
  },
  {
    field: 'breed',
    word: /^(breed|breeds|rasse|rassen|raza|razas|ras)$/,
    unless: /^(group|standard|club|test|dna|registry)$/,
  },
  { field: 'sex', word: /^(sex|gender|geschlecht|sexe|sexo|geslacht)$/ },
  {
    field: 'color',
    word: /^(colou?rs?|farbe|farben|fellfarbe|couleur|couleurs|colores|kleur|vachtkleur)$/,
    unless: /^(eye|eyes|code|tag|nose)$/,
  },
  {
    field: 'weightKilograms',
    word: /^(weight|gewicht|poids|peso)$/,
    unless: /^(birth|goal|target|ideal|adult|date|datum|zielgewicht)$/,
  },
  {
    field: 'age',
    word: /^(age|alter|edad|leeftijd)$/,
    unless: /^(at|when|range|group|neutering|intake|entry|bei|beim|al)$/,
  },
  { field: 'size', word: /^(size|grosse|groesse|taille|tamano|grootte)$/, unless: /^(group|shoe|family|garden|home)$/ },
  {
    field: 'fee',
    word: /^(fee|price|donation|schutzgebuhr|gebuhr|preis|prix|precio|prijs|adoptiebijdrage|tasa|donativo|tarif)$/,
    unless: /^(old|former|received|alt|net|netto|ht|date|type|old|ancien|neto|discount|rabatt)$/,
  },
  { field: 'category', word: /^(species|tierart|espece|especie|diersoort)$/ },
  {
    field: 'story',
    word: /^(description|beschreibung|histoire|historia|story|bio|biography|omschrijving|beschrijving|descripcion|verhaal|descriptif)$/,
    unless: /^(short|kurz|courte|corta|korte|medical|health|colou?r|breed|behaviou?r)$/,
  },
  {
    field: 'status',
    word: /^(status|statut|estado|availability|verfugbarkeit|disponibilite|disponibilidad|beschikbaarheid)$/,
    unless:
      /^(medical|health|vaccination|vaccin|neuter|spay|fiv|felv|heartworm|test|civil|legal|behaviou?r|diet|training|impf|sante|salud|gesundheits|kastrations|microchip|chip|house|social|reproductive)$/,
  },
]

function keywordsIn(words: readonly string[]): ImportField[] {
  const found = keywords.filter(
    ({ word, unless }) => words.some((one) => word.test(one)) && !(unless && words.some((one) => unless.test(one))),
  )
  const isBreed = found.some(({ field }) => field === 'breed')
  return found.map(({ field }) => field).filter((field) => field !== 'secondBreed' || isBreed)
}

export type TitleUnit = 'months' | 'weeks' | 'oz'

/** The unit of numbers in a column, if only its title names it and the fields know no such unit. */
export function unitOfTitle(title: string): TitleUnit | undefined {
  const words = wordsIn(title)
  const has = (pattern: RegExp) => words.some((word) => pattern.test(word))
  const [first] = meaningsOf(title)
  if (first?.field === 'age') {
    if (has(/^(years|yrs|jahre|jahren|ans|anos|jaar|jaren|y)$/)) return undefined
    if (has(/^(months|month|mths|mos|monate|monaten|mois|meses|maanden)$/)) return 'months'
    if (has(/^(weeks|wks|wochen|semaines|semanas|weken)$/)) return 'weeks'
  }
  return first?.field.startsWith('weight') && has(/^(oz|ounces|unzen|onces|onzas)$/) ? 'oz' : undefined
}
