// Dates and ages as people spell them in spreadsheets and forms, in five languages. What is not certain is not guessed: the
// result says how exactly a date is known, and whether it was estimated. Expects single spaces (`shortText`). For the server
// and the dashboard, which loads no schemas. Pure.

import { isCalendarDay } from '../calendar-day.ts'
import type { DateOrder } from './import-shapes.ts'
import type { Born, DatePrecision } from './profiles.ts'
import { dictionary, isNothing, plainWord } from './spelled-words.ts'

type Known = Pick<Born, 'date' | 'precision'>

const monthNumbers = dictionary({
  '01': 'january,jan,januar,janner,janvier,janv,enero,ene,januari',
  '02': 'february,feb,februar,fevrier,fevr,fev,febrero,februari',
  '03': 'march,mar,marz,mrz,maerz,mars,marzo,maart,mrt',
  '04': 'april,apr,avril,avr,abril,abr',
  '05': 'may,mai,mayo,mei',
  '06': 'june,jun,juni,juin,junio',
  '07': 'july,jul,juli,juillet,juil,julio',
  '08': 'august,aug,aout,agosto,ago,augustus',
  '09': 'september,sep,sept,septembre,septiembre,set',
  '10': 'october,oct,oktober,okt,octobre,octubre,octobre',
  '11': 'november,nov,novembre,noviembre',
  '12': 'december,dec,dezember,dez,decembre,diciembre,dic',
})

const ABOUT =
  'ca|circa|about|approx|approximately|est|estimated|around|roughly|etwa|ungefähr|ungef|geschätzt|gesch|zirka|env|environ|vers|aprox|aproximadamente|aproximado|hacia|unos|unas|sobre|alrededor de|ongeveer|geschat|rond|c'
/** "* 2019", "geb. 2019", "né le 3 mai 2019": words that say that it was born. */
const BORN =
  /^(?:\*|born|dob|geb\.?|geboren|née?|né\(e\)|nacid[oa]|nació|birth)(?:\s+(?:in|on|am|im|le|en|el|op))?\s*:?\s*/i
const ESTIMATED = new RegExp(`^(?:~|≈|±|\\?|(?:${ABOUT})(?:\\.|:)?(?![\\p{Letter}]))\\s*`, 'iu')
const ESTIMATED_AFTER = new RegExp(
  ` ?(?:\\?|~|\\+/-|\\((?:[^()]*\\b)?(?:${ABOUT}|estimé|estimée|estimado|estimada|approximatif|approximate)\\.?\\)|[ ,](?:${ABOUT}|estimé|estimée|estimado|estimada|approximate)\\.?)$`,
  'iu',
)
/** "Spring 2021", "Anfang 2020", "fin 2019" are no more exact than their year. */
const PART_OF_YEAR =
  /^(?:(?:in|im|en|au|à|a|el|la|le|der|the|van|de)\s+)*(?:early|mid|late|spring|summer|autumn|fall|winter|anfang|mitte|ende|frühjahr|frühling|sommer|herbst|début|debut|mi|fin|printemps|été|automne|hiver|principios|mediados|finales|primavera|verano|otoño|invierno|begin|midden|eind|lente|voorjaar|zomer|herfst|najaar)[\s-]+(?:(?:of|in|de|del|van)\s+)?((?:19|20)\d\d)$/iu

/** Null for an empty cell, undefined for what cannot be read. `today`: YYYY-MM-DD. */
export function bornIn(text: string, order: DateOrder, today: string): Born | null | undefined {
  if (isNothing(text)) return null
  const trimmed = text.trim().replace(BORN, '')
  const bare = trimmed.replace(ESTIMATED, '').replace(ESTIMATED_AFTER, '')
  const known = dateIn(bare, order, today)
  if (known) return { ...known, isEstimated: bare !== trimmed }
  const [, year] = PART_OF_YEAR.exec(bare) ?? []
  if (year !== undefined) return { date: `${year}-01-01`, precision: 'year', isEstimated: true }
  // A number alone is no age among dates.
  return /\p{Letter}/u.test(trimmed) ? ageIn(trimmed, today) : undefined
}

/** A day; a month or a year is its first day. */
export const dayIn = (text: string, order: DateOrder, today: string): string | null | undefined =>
  isNothing(text) ? null : dateIn(text.trim().replace(ESTIMATED, '').replace(ESTIMATED_AFTER, ''), order, today)?.date

function dateIn(text: string, order: DateOrder, today: string): Known | undefined {
  const spelled = text
    .replace(/,?[T ] ?\d{1,2}[:.h]\d\d([:.]\d\d(\.\d+)?)? ?(am|pm|z|uhr|h|[+-]\d\d:?\d\d)?$/i, '')
    .replace(WEEKDAY, '')
    .trim()
  return isoIn(spelled) ?? inNumbers(spelled, order, today) ?? inWords(spelled, today) ?? serialIn(spelled)
}

/** "Mar" is a month, unless a day and a month follow it. */
const WEEKDAY =
  /^(?:(?:mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun|mo|di|mi|do|fr|sa|so|lun|mar(?=\.?[,\s]+\d\d?(?:[./-]| [a-z]))|mer|jeu|ven|sam|dim|lu|ma|me|je|ve|mié|jue|vie|sáb|dom|wo|vr|za|zo)\.?|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag)[,\s]+(?=\d)|^(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s+/i

const dayOf = (date: string): Known | undefined => (isInRange(date) ? { date, precision: 'day' } : undefined)
const isInRange = (date: string) => /^(19|20)/.test(date) && isCalendarDay(date)
const firstDay = (date: string, precision: 'month' | 'year'): Known | undefined =>
  isInRange(date) ? { date, precision } : undefined

function isoIn(text: string): Known | undefined {
  const found =
    /^(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?$/.exec(text) ?? /^((?:19|20)\d\d)(\d\d)(\d\d)$/.exec(text)
  if (!found) return undefined
  const [, year = '', month, day] = found
  if (month === undefined) return firstDay(`${year}-01-01`, 'year')
  if (day === undefined) return firstDay(`${year}-${month.padStart(2, '0')}-01`, 'month')
  return dayOf(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`)
}

function inNumbers(text: string, order: DateOrder, today: string): Known | undefined {
  const ofMonth = /^(\d{1,2})[-/.](\d{4})$/.exec(text)
  if (ofMonth) return firstDay(`${ofMonth[2]}-${(ofMonth[1] ?? '').padStart(2, '0')}-01`, 'month')
  // "05/21" can only be a month of a year.
  const short = /^(0?[1-9]|1[0-2])[-/.](\d\d)$/.exec(text)
  if (short && Number(short[2]) > 12 && Number(short[2]) <= Number(today.slice(2, 4)))
    return firstDay(`20${short[2]}-${(short[1] ?? '').padStart(2, '0')}-01`, 'month')
  const found = /^(\d{1,2})\s?([-/. ])\s?(\d{1,2})\s?\2\s?(\d{4}|\d{2})\.?$/.exec(text)
  if (!found) return undefined
  const [, first = '', mark, second = '', year = ''] = found
  // With points it is never American, and what cannot be a month is a day.
  const isDayFirst = mark === '.' || Number(first) > 12 || (order === 'dmy' && Number(second) <= 12)
  const [day, month] = isDayFirst ? [first, second] : [second, first]
  return dayOf(`${fullYear(year, today)}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`)
}

/** A year of two digits is none in the future. */
const fullYear = (year: string, today: string): string =>
  year.length === 4 ? year : `${Number(year) <= Number(today.slice(2, 4)) ? '20' : '19'}${year}`

/** "12 March 2021", "March 12, 2021", "12. März 2021", "marzo de 2021", "Mar-21"; but "12 March" is a day without a year. */
function inWords(text: string, today: string): Known | undefined {
  const words = text
    .split(/[\s,.\-/]+|(?<=\d)(?:st|nd|rd|th|er)\b/i)
    .filter((word) => word !== '' && !/^(de|del|of|le|den|the)$/i.test(word))
  const month = words.flatMap((word) => monthNumbers(word) ?? [])[0]
  const numbers = words.filter((word) => /^\d{1,4}$/.test(word))
  if (month === undefined || numbers.length + 1 !== words.length) return undefined
  const year = numbers.length === 1 ? numbers[0] : (numbers.find((number) => number.length === 4) ?? numbers[1])
  if (year === undefined || year.length === 1 || year.length === 3) return undefined
  const full = fullYear(year, today)
  if (numbers.length === 1)
    return year.length === 2 && words[0] === year ? undefined : firstDay(`${full}-${month}-01`, 'month')
  const day = numbers[0] === year ? numbers[1] : numbers[0]
  return numbers.length === 2 && day !== undefined ? dayOf(`${full}-${month}-${day.padStart(2, '0')}`) : undefined
}

/** Seconds since 1970, as programs write them; of a year after 1973, so that no other number is one. */
const serialIn = (text: string): Known | undefined => {
  if (/^\d{9,10}$/.test(text)) return dayOf(new Date(Number(text) * 1000).toISOString().slice(0, 10))
  if (/^\d{12,13}$/.test(text)) return dayOf(new Date(Number(text)).toISOString().slice(0, 10))
  // Days since 1900, as Excel counts: of the years 1982 to 2064.
  return /^[345]\d{4}$/.test(text)
    ? dayOf(new Date(Date.UTC(1899, 11, 30) + Number(text) * 86_400_000).toISOString().slice(0, 10))
    : undefined
}

const units = dictionary({
  years:
    'year,years,yr,yrs,y,yo,y o,yrs old,jahr,jahre,jahren,j,jhr,jahrig,an,ans,annee,annees,ano,anos,a,jaar,jaren,jr',
  months: 'month,months,mo,mos,mth,mths,mnth,mnths,m,monat,monate,monaten,mon,mt,mois,mes,meses,maand,maanden,mnd,mnds',
  weeks: 'week,weeks,wk,wks,w,woche,wochen,wo,semaine,semaines,sem,semana,semanas,weken,wkn',
  days: 'day,days,d,tag,tage,tagen,t,jour,jours,dia,dias,dag,dagen',
})

const numbersInWords = dictionary({
  '1': 'one,a,an,ein,eine,einem,eins,un,une,uno,una,een',
  '2': 'two,zwei,deux,dos,twee',
  '3': 'three,drei,trois,tres,drie',
  '4': 'four,vier,quatre,cuatro',
  '5': 'five,funf,cinq,cinco,vijf',
  '6': 'six,sechs,seis,zes',
  '7': 'seven,sieben,sept,siete,zeven',
  '8': 'eight,acht,huit,ocho',
  '9': 'nine,neun,neuf,nueve,negen',
  '10': 'ten,zehn,dix,diez,tien',
  '11': 'eleven,elf,onze,once',
  '12': 'twelve,zwolf,douze,doce,twaalf',
})

/** "1 ½", "1 1/2" and "1½" are 1.5; "two" is 2; "half a year" and "ein halbes Jahr" are half of one. */
const numbersSpelled = (text: string): string =>
  text
    .replaceAll(/(?<!\d) ?½/g, ' 0.5')
    .replaceAll(/ ?½| 1\/2\b| ?,5\b/g, '.5')
    .replaceAll(/ ?¼/g, '.25')
    .replaceAll(/ ?¾/g, '.75')
    .replaceAll(/\b(?:half an?|1\/2|ein halbes|un demi|medio|een half)\s+(?=\p{Letter})/giu, '0.5 ')
    .replace(/^(?:a |un |1 )?(año|an|year|jaar)(?= (?:and a half|y medio|et demi))/iu, '1 $1')
    .replaceAll(/\b(?:and a half|y medio|et demi|einhalb|en een half)\b/giu, '& 0.5')
    .replace(/^\p{Letter}+(?=\s)/u, (word) => numbersInWords(word) ?? word)
    .replaceAll(/(?<!\d)(\d+) ?(\p{Letter}+) ?& 0\.5/gu, '$1.5 $2')

/** "2 yrs" is an estimated year of birth, "6 months" a month, "6 weeks" a day. A number alone counts years. */
export function ageIn(text: string, today: string): Born | undefined {
  const spelled = numbersSpelled(text.trim().replace(ESTIMATED, '').replace(ESTIMATED_AFTER, ''))
  const range = /^(\d+(?:[.,]\d+)?)\s*(?:-|–|to|bis|à|a|tot)\s*(\d+(?:[.,]\d+)?)\s*(\p{Letter}+\.?.*)$/iu.exec(spelled)
  const [one, other] = [amountIn(range?.[1] ?? ''), amountIn(range?.[2] ?? '')]
  const exact = range && one < other ? `${Math.round((one + other) * 5) / 10} ${range[3]}` : spelled
  const parts = [...exact.matchAll(/(\d+(?:\s?[.,]\d+)?)\s*([\p{Letter}]*)\.?/gu)]
  if (parts.length === 0 || parts.length > 3 || !isOnlyAge(exact)) return undefined
  let days = 0
  let precision: DatePrecision = 'year'
  for (const [, number = '', word = ''] of parts) {
    // Of several numbers, each has a unit.
    const unit = word === '' && parts.length === 1 ? 'years' : units(word)
    if (unit === undefined) return undefined
    const amount = amountIn(number)
    if (unit === 'weeks' || unit === 'days') precision = 'day'
    else if (precision === 'year' && (unit === 'months' || (!Number.isInteger(amount) && !range))) precision = 'month'
    days += amount * daysOf[unit]
  }
  return days > 100 * daysOf.years ? undefined : bornBefore(days, precision, today)
}

const amountIn = (text: string): number => Number(text.replace(/\s/g, '').replace(',', '.'))

function bornBefore(days: number, precision: DatePrecision, today: string): Born {
  const [year = 0, month = 1] = today.split('-').map(Number)
  if (precision === 'year')
    return { date: `${year - Math.round(days / daysOf.years)}-01-01`, precision, isEstimated: true }
  if (precision === 'day') {
    const date = new Date(Date.parse(today) - Math.round(days) * 86_400_000).toISOString().slice(0, 10)
    return { date, precision, isEstimated: true }
  }
  const then = year * 12 + (month - 1) - Math.round(days / daysOf.months)
  const date = `${Math.floor(then / 12)}-${String((then % 12) + 1).padStart(2, '0')}-01`
  return { date, precision, isEstimated: true }
}

const daysOf = { years: 365.25, months: 365.25 / 12, weeks: 7, days: 1 }

const AROUND_AGES = new Set(
  'old alt and und et y of age ca edad adult senior young puppy kitten approx plus de aged der oud en welpe jung adulte jeune chiot chaton adulto adulta joven cachorro aproximadamente est circa ago vor hace il geleden'.split(
    ' ',
  ),
)

/** Words around the numbers that change nothing: "2 years old", "3 Jahre alt", "1 an et 6 mois", "Adult (3 years)". */
const isOnlyAge = (text: string): boolean =>
  // "<1" and "10+" are bounds.
  !/[<>]|\d\s*\+\s*(?:\p{Letter}|$)/u.test(text) &&
  text
    .replaceAll(/\d+(?:\s?[.,]\d+)?/g, ' ')
    .split(/[\s.,/&+()-]+/)
    .map(plainWord)
    .every((word) => word === '' || units(word) !== undefined || AROUND_AGES.has(word))

/** Of "03/04/2021": a date that can be read in one way alone decides for the others. */
export function dateOrderOf(samples: readonly string[], isAmerican: boolean): DateOrder {
  for (const text of samples) {
    const [, first = '', second = ''] = /^(\d{1,2})[-/](\d{1,2})[-/]\d{2,4}\b/.exec(text.trim()) ?? []
    if (Number(first) > 12) return 'dmy'
    if (Number(second) > 12) return 'mdy'
  }
  return isAmerican ? 'mdy' : 'dmy'
}
