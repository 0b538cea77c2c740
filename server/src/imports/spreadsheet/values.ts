// Proposes what the values of a spreadsheet mean, each distinct value once: a category, a status, an answer, a sex, a size,
// an age. In English, German, French, Spanish and Dutch. What is not certain has no match: an owner is asked. Pure.

import type { ImportField, ValueAction } from '@petstore-platform/contract/platform/import-shapes'
import { petStatuses } from '@petstore-platform/contract/pets'
import { fieldsWith, profileFields, type ProfileFieldsWith } from '@petstore-platform/contract/platform/profile-fields'
import { answers } from '@petstore-platform/contract/platform/profiles'
import { ageIn, bornIn } from '@petstore-platform/contract/platform/spelled-dates'
import { dictionary, plainWord, wordsOf } from '@petstore-platform/contract/platform/spelled-words'
import { kindOf, widerKinds } from './kinds.ts'
import { statusOf } from './statuses.ts'

export type Match = { action: ValueAction; to: string | null }

export type MatchContext = {
  categories: readonly { id: bigint; name: string }[]
  /** YYYY-MM-DD. */
  today: string
}

const yesOrNo = ['yes', 'no'] as const
/** The fields whose values are matched; an empty list means any value of the right form. */
const allowed = {
  category: [],
  status: petStatuses,
  age: [],
  isBornEstimated: yesOrNo,
  isShown: yesOrNo,
  notGoodWithChildren: answers,
  notGoodWithDogs: answers,
  notGoodWithCats: answers,
  ...(Object.fromEntries([
    // A portrait has a name, which is no word of any language.
    ...fieldsWith({ type: ['choice'] }).flatMap((name) =>
      name === 'portrait' ? [] : [[name, profileFields[name].values]],
    ),
    ...fieldsWith({ type: ['flag'] }).map((name) => [name, yesOrNo]),
    ...fieldsWith({ type: ['answer'] }).map((name) => [name, answers]),
  ]) as Record<Exclude<ProfileFieldsWith<{ type: 'choice' | 'flag' | 'answer' }>, 'portrait'>, readonly string[]>),
} as const satisfies Partial<Record<ImportField, readonly string[]>>
export type MatchedField = keyof typeof allowed

export const isMatched = (field: ImportField): field is MatchedField => Object.hasOwn(allowed, field)

/** Whether a match makes sense for its field. */
export function isPossible(
  field: ImportField,
  { action, to }: Match,
  { categories }: Pick<MatchContext, 'categories'>,
): boolean {
  if (!isMatched(field)) return false
  if (action === 'create') return field === 'category' && to !== null && to.trim() !== ''
  if (action !== 'use') return to === null
  if (field === 'category') return categories.some(({ id }) => String(id) === to)
  if (field === 'age') return to !== null && /^(19|20)\d\d(-(0[1-9]|1[0-2]))?$/.test(to)
  return (allowed[field] as readonly string[]).includes(to ?? '')
}

export function proposeMatch(field: MatchedField, value: string, context: MatchContext): Match {
  if (field === 'category') return categoryMatch(value, context)
  if (field === 'age') return ageMatch(value, context.today)
  const exact = (allowed[field] as readonly string[]).find((one) => one === value.trim())
  if (exact !== undefined) return use(exact)
  return proposals[field](value, context.today) ?? NONE
}

const use = (to: string): Match => ({ action: 'use', to })
const NONE: Match = { action: 'none', to: null }
const CLEAR: Match = { action: 'clear', to: null }
const SKIP: Match = { action: 'skip', to: null }

type Propose = (value: string, today: string) => Match | undefined

const unknownWords =
  'unknown,unk,u,?,unbekannt,unb,inconnu,inconnue,desconocido,desconocida,onbekend,na,n a,none,k a,ka,nb,nvt,not known,not sure,unsure,untested,not tested,not yet tested,not assessed,not applicable,not specified,unspecified,undetermined,no info,no data,no idea,dont know,don t know,nicht getestet,nicht bekannt,nicht geprueft,keine angabe,keine angaben,ungetestet,noch nicht getestet,weiss nicht,unklar,fraglich,non teste,non testee,pas teste,pas testee,a tester,non renseigne,non connu,pas connu,nc,ne sait pas,indetermine,indeterminado,no probado,sin probar,no testado,no testada,sin testar,no se sabe,por determinar,por confirmar,sin datos,sin especificar,sin informacion,niet getest,niet bekend,nog niet getest,weet niet,maybe,possibly,depends,selective,sometimes,case by case,with intro,with introduction,vielleicht,bedingt,teilweise,je nach,nach sympathie,kommt darauf an,kommt drauf an,peut etre,selon,a voir,parfois,ca depend,depende,a veces,quizas,segun,soms,misschien,wisselend,tbd,tbc,in progress,partly,partially,in training,working on it,in arbeit,im aufbau,en cours,en proceso,in opleiding,bezig'
const yesWords =
  'yes,y,ye,yeah,yep,yup,ja,j,jo,oui,o,si,s,sim,true,t,wahr,vrai,verdadero,waar,1,x,xx,ok,okay,oki,good,gut,bon,bonne,bien,goed,done,erledigt,fait,faite,hecho,gedaan,klaar,affirmative,absolutely,definitely,sure,of course,naturlich,bien sur,claro,great,perfect'
const noWords =
  'no,n,nope,nein,ne,non,nee,nao,false,falsch,faux,falso,onwaar,0,not,nicht,niet,never,nie,jamais,nunca,nooit,bad,keine,pas,absolutely not,auf keinen fall,pas du tout,en absoluto,liever niet,preferably not,better not,lieber nicht,eher nicht,plutot non,mejor no'

type MoreWords = { yes?: string; no?: string; unknown?: string }

const words = (more: MoreWords = {}) =>
  dictionary({
    no: `${more.no ?? ''},${noWords}`,
    yes: `${more.yes ?? ''},${yesWords}`,
    unknown: `${unknownWords},${more.unknown ?? ''}`,
  })

/** "Yes, loves them", "nein (zu klein)": the first word says it, unless the next ones say that it is not known. */
const YES_FIRST = /^(yes|ja|oui|s[ií]|yep|y|ok)\b\s*[^\p{Letter}\d\s/]|^(yes|ja|oui|s[ií])\s/iu
const NO_FIRST = /^(no|nein|non|nee|n)\b\s*[^\p{Letter}\d\s/]|^(no|nein|non|nee)\s/iu
const NOT_KNOWN =
  /\b(test|teste|testee|tested|getestet|getest|testad|probad|known|bekannt|bekend|connu|info|idea|sabe|data|datos|consta)/i
/** An answer that holds for some of them says less than yes: "8+", "teens only", "nur Hündinnen", "ab 12 J.". */
const CONDITION =
  /\d\s*\+|\b(older|teens?|teenagers?|only|selective|depends|some|female dogs|males|calm|supervis|ab \d|nur|ältere|größere|ruhige|souveräne|à partir|seulement|uniquement|grands|femelles|selon|a partir|mayores|sólo|solo|algunos|según|tranquil|vanaf|alleen|oudere|rustige|sommige)/i

/** Without what is in parentheses, and without a date at the end: "done (03/24)", "geimpft am 12.3.2024". */
const withoutDetails = (text: string): string =>
  text.replaceAll(/\([^()]*\)/g, '').replace(/[\s,:]*\b(?:am|on|le|el|op|in)?\s*\d[\d./\s-]*$/i, '')

const answer = (more: MoreWords = {}): Propose => {
  const read = words(more)
  return (value) => {
    const text = value.trim()
    const found = read(text) ?? (CONDITION.test(text) ? undefined : read(withoutDetails(text)))
    if (found !== undefined) return use(found)
    if (/^[✓✔☑√✅👍+]+$/u.test(text)) return use('yes')
    if (/^[✗✘☒❌✖👎]+$/u.test(text)) return use('no')
    if (/^[-–—?./\s]+$/.test(text)) return use('unknown')
    if (YES_FIRST.test(text)) return CONDITION.test(text) ? use('unknown') : use('yes')
    if (NO_FIRST.test(text)) return use(NOT_KNOWN.test(text) ? 'unknown' : 'no')
    return undefined
  }
}

/** With the words for some of them, and those for likes and dislikes. */
const sociable = (): Propose => {
  const read = answer({
    yes: 'friendly,loves,loves them,likes,likes them,very good,excellent,no problem,no problems,fine,loves kids,loves dogs,loves cats,loves children,lives with,lives with them,vertraglich,sehr gut,sehr vertraglich,mag,mag sie,liebt,liebt kinder,freundlich,kein problem,kein thema,problemlos,sociable,tres sociable,friend,amical,adore,aucun probleme,sans probleme,amigable,super,tres bien,muy bien,muy bueno,le gustan,le encantan,sin problema,sin problemas,sociabel,heel goed,prima,geen probleem,lief,sociaal',
    no: 'not good,not suitable,not recommended,dislikes,dislikes them,hates,hates them,aggressive,chases,chases them,afraid,unvertraglich,mag nicht,mag sie nicht,nicht vertraglich,nicht geeignet,ungeeignet,jagt,pas bon,non sociable,pas sociable,deconseille,agressif,n aime pas,no sociable,no apto,no apta,no le gustan,no recomendado,agresivo,niet goed,niet geschikt,ongeschikt,niet sociaal',
  })
  return (value, today) => read(value, today) ?? (CONDITION.test(value) ? use('unknown') : undefined)
}

/** A day on which it was done is a yes; one in the future is a no. */
const done = (more: MoreWords): Propose => {
  const read = answer(more)
  return (value, today) => {
    const found = read(value, today)
    if (found !== undefined) return found
    const day = /\d{4}|\d{1,2}[./-]\d{1,2}[./-]\d{2}/.test(value) ? bornIn(value, 'dmy', today) : undefined
    if (!day || day.precision === 'year') return undefined
    return use(day.date <= today ? 'yes' : 'no')
  }
}

/** A flag has no "unknown": what is not known is not set. */
const flag = (more: MoreWords = {}): Propose => {
  const read = answer(more)
  return (value, today) => {
    const found = read(value, today)
    return found?.to === 'unknown' ? CLEAR : found
  }
}

const isUnknown = dictionary({ unknown: `${unknownWords},keine,ninguno,ninguna,aucun,aucune,geen,-` })

/** Of an enumeration: unknown words empty the cell. A value that names two of them is none: "small to medium". */
const oneOf = <One extends string>(lists: Readonly<Record<One, string>>): Propose => {
  const read = dictionary(lists)
  return (value) => {
    const pair = /^(\p{Letter}+)\s*[-/]\s*(\p{Letter}+)$/u.exec(value.trim())
    const [one, other] = [read(pair?.[1] ?? ''), read(pair?.[2] ?? '')]
    if (one !== undefined && other !== undefined && one !== other) return undefined
    const found = read(value) ?? read(value.replaceAll(/\([^()]*\)/g, ''))
    if (found !== undefined) return use(found)
    if (isUnknown(value) || /^[-–—?./\s]+$/.test(value.trim())) return CLEAR
    const named = new Set(wordsOf(value).flatMap((word) => read(word) ?? []))
    return named.size === 1 ? use([...named][0] as One) : undefined
  }
}

const proposals: Readonly<Record<Exclude<MatchedField, 'category' | 'age'>, Propose>> = {
  status: (value) => {
    const to = statusOf(value)
    if (to === undefined) return undefined
    return to === 'gone' ? SKIP : use(to)
  },
  sex: oneOf({
    female:
      'female,f,fem,w,weibl,weiblich,weibchen,hundin,huendin,katzin,kaetzin,stute,zibbe,hasin,henne,girl,lady,she,bitch,queen,doe,sow,jill,mare,filly,hen,femelle,femella,fille,elle,hembra,h,femenino,femenina,feminin,feminine,spayed,f s,fs,sf,f n,fn,f i,fi,fx,f c,female spayed,spayed female,female neutered,neutered female,weiblich kastriert,w k,wk,femelle sterilisee,hembra esterilizada,chienne,chatte,jument,lapine,perra,gata,yegua,coneja,vrouwelijk,vrouw,vrouwtje,v,teef,poes,kattin,merrie,voedster',
    male: 'male,males,m,masc,mann,mannl,maennl,mannlich,maennlich,mannchen,rude,ruede,kater,hengst,wallach,rammler,bock,hahn,eber,erpel,kastrat,boy,gent,he,him,buck,tom,tomcat,gelding,stallion,colt,rooster,cock,boar,hob,stud,m n,mn,nm,m c,mc,cm,m i,mi,mx,male neutered,neutered male,male castrated,castrated male,mannlich kastriert,m k,mk,mâle,garcon,lui,macho,mch,masculino,masculin,masculine,male castre,macho castrado,chien male,etalon,hongre,perro,gato,caballo,mannelijk,man,mannetje,reu,ruin,ram',
  }),
  size: oneOf({
    small:
      's,sm,small,xs,xxs,xsmall,x small,tiny,toy,mini,miniature,teacup,extra small,very small,little,klein,sehr klein,winzig,zwerg,kleinwuchsig,petit,petite,tres petit,tres petite,nain,naine,pequeno,pequena,muy pequeno,muy pequena,chico,chica,p,kl,enano,erg klein,heel klein',
    medium:
      'm,md,medium,med,mid,average,moderate,standard,mittel,mittelgross,mittlere,mittelgrosse,normal,moyen,moyenne,intermediaire,mediano,mediana,medio,media,middel,middelgroot,gemiddeld,middelmaat',
    large: 'l,lg,lrg,large,big,gross,grosse,g,gr,grand,grande,grandes,groot,grote,hochbeinig',
    extra_large:
      'xl,xxl,extra large,extralarge,xlarge,x large,xlg,very large,giant,huge,sehr gross,riesig,riese,riesenrasse,tres grand,tres grande,geant,geante,muy grande,gigante,extra grande,extra groot,zeer groot,heel groot,reusachtig',
  }),
  coat: oneOf({
    hairless:
      'hairless,none,haarlos,nackt,nackthund,nacktkatze,nu,nue,sans poil,sans poils,sin pelo,bald,naked,kaal,haarloos,naakt',
    short:
      'short,shorthair,short hair,short haired,shorthaired,smooth,sleek,sh,dsh,kurz,kurzhaar,kurzhaarig,kurzes fell,glatt,glatthaar,court,courts,poil court,poils courts,ras,rase,poil ras,courte,corto,pelo corto,corta,liso,raso,kort,korthaar,kortharig,gladhaar,gladharig',
    medium:
      'medium,med,mediumhair,medium hair,medium haired,medium length,medium long,semi long,semilong,semi longhair,mh,dmh,mittel,mittellang,mittellanges fell,halblang,halblanghaar,stockhaar,stockhaarig,langstockhaar,mi long,mi longs,poil mi long,poils mi longs,moyen,moyens,semi largo,medio,mediano,mediana,pelo medio,semilargo,halflang,halflanghaar,middellang,stokhaar',
    long: 'long,longs,longhair,long hair,long haired,longhaired,fluffy,lh,dlh,lang,langhaar,langhaarig,langes fell,longue,poil long,poils longs,largo,pelo largo,larga,langharig,lange',
    wire: 'wire,wiry,wirehair,wire haired,wirehaired,rough,rough haired,scruffy,coarse,broken,broken coated,drahthaar,drahtig,drahthaarig,rauhaar,rauhaarig,rau,dur,durs,poil dur,poils durs,fil de fer,duro,pelo duro,aspero,de alambre,ruw,ruwhaar,ruwharig,draadhaar',
    curly:
      'curly,curled,wavy,fleece,woolly,corded,rex,lockig,gelockt,locken,wellig,kraus,gekrauselt,frise,frisee,frises,boucle,bouclee,boucles,ondule,poil frise,rizado,rizada,pelo rizado,ondulado,krul,krullend,krulhaar,gekruld,golvend',
  }),
  isMixed: flag({
    yes: 'mix,mixed,mixed breed,cross,crossbreed,crossbred,mischling,mixling,mongrel,croise,croisee,metis,mestizo,cruce,mestiza,cruzado,kruising,gekruist,bastaard',
    no: 'pure,purebred,pure breed,pedigree,full breed,reinrassig,rasse,rassehund,rassekatze,rasserein,race pure,pure race,pur,race,raza,raza pura,pura raza,puro,raszuiver,rasecht,ras',
  }),
  isHidden: flag({
    yes: 'hidden,hide,versteckt,verborgen,cache,masque,oculto,private,privat,prive,verborgen,offline',
    no: 'visible,shown,show,sichtbar,public,publico,online,zichtbaar',
  }),
  isShown: flag({
    yes: 'visible,shown,show,online,published,live,listed,sichtbar,veroffentlicht,publie,publiee,en ligne,publicado,publicada,visible,zichtbaar,gepubliceerd,public,offentlich',
    no: 'hidden,offline,unpublished,draft,not listed,versteckt,nicht online,hors ligne,masque,brouillon,oculto,no publicado,borrador,verborgen,concept,entwurf',
  }),
  isFeatured: flag({ yes: 'featured,highlight,top,star,urgent,★,⭐' }),
  isBornEstimated: flag({
    yes: 'estimated,estimate,est,approx,approximate,approximately,ca,circa,geschatzt,ungefahr,estime,estimee,approximatif,estimado,estimada,aproximado,aproximada,geschat,ongeveer',
    no: 'exact,known,certain,confirmed,actual,genau,bekannt,exacte,exacta,exacto,connu,connue,conocido,conocida,exact,bekend',
  }),
  goodWithChildren: sociable(),
  goodWithDogs: sociable(),
  goodWithCats: sociable(),
  notGoodWithChildren: answer(),
  notGoodWithDogs: answer(),
  notGoodWithCats: answer(),
  isNeutered: done({
    yes: 'neutered,spayed,speyed,altered,fixed,desexed,castrated,snipped,sterilized,sterilised,neutered spayed,spayed neutered,k,kastr,kastriert,sterilisiert,castre,castree,sterilise,sterilisee,opere,operee,castrado,castrada,esterilizado,esterilizada,operado,operada,gecastreerd,gesteriliseerd,geholpen',
    no: 'intact,unaltered,entire,whole,not neutered,not spayed,not altered,unneutered,unspayed,unkastriert,unkastr,intakt,nicht kastriert,entier,entiere,non castre,non castree,non sterilise,non sterilisee,pas sterilise,pas castre,entero,entera,sin castrar,sin esterilizar,no castrado,no esterilizado,too young,zu jung,noch zu jung,trop jeune,demasiado joven,muy joven,te jong,pending,scheduled,booked,planned,due,before adoption,geplant,steht an,prevu,prevue,a prevoir,a faire,pendiente,programado,gepland,not yet,noch nicht,pas encore,todavia no,aun no,nog niet,niet gecastreerd,niet gesteriliseerd,ongecastreerd',
  }),
  isVaccinated: done({
    yes: 'vaccinated,up to date,uptodate,current,utd,complete,completed,full,fully,fully vaccinated,all,all shots,all done,both,2 of 2,2nd done,second done,geimpft,aktuell,vollstandig,vollst,komplett,durchgeimpft,grundimmunisiert,vaccine,vaccinee,a jour,complet,complete,completes,vacunado,vacunada,al dia,completo,completa,todas,gevaccineerd,ingeent,geent,volledig,up to date',
    no: 'unvaccinated,not vaccinated,due,overdue,pending,none,ungeimpft,nicht geimpft,non vaccine,non vaccinee,pas vaccine,a faire,a prevoir,prevu,sin vacunar,no vacunado,no vacunada,pendiente,ninguna,not yet,noch nicht,pas encore,todavia no,aun no,nog niet,niet gevaccineerd,niet ingeent,too young,zu jung,trop jeune,te jong',
    unknown:
      'partial,partiel,parcial,first,first only,first shot,first vaccination,1st,1st shot,1st vaccination,1st done,1 of 2,erste,erste impfung,1 impfung,primo,primovaccination,premiere,primera,primera vacuna,eerste,eerste enting',
  }),
  isHouseTrained: answer({
    yes: 'house trained,housetrained,housebroken,trained,fully trained,fully,litter trained,litter box,litter box trained,uses litter box,uses litter tray,clean,stubenrein,sauber,propre,litiere,utilise la litiere,limpio,limpia,arenero,usa arenero,educado,educada,zindelijk,kattenbak,mostly,almost,nearly,meistens,fast,weitgehend,presque,quasiment,casi,casi siempre,bijna,meestal',
    no: 'not trained,not house trained,not housetrained,untrained,nicht stubenrein,nicht sauber,pas propre,non propre,sin educar,no limpio,not yet,noch nicht,pas encore,todavia no,aun no,nog niet,niet zindelijk,too young,zu jung,trop jeune,te jong',
  }),
}

function categoryMatch(value: string, { categories }: MatchContext): Match {
  const plain = plainWord(value)
  const kind = kindOf(value)
  const ofKinds = (kind === undefined ? [] : widerKinds(kind)).flatMap((wanted) =>
    categories.filter(({ name }) => kindOf(name) === wanted),
  )
  const found =
    categories.find(({ name }) => name === value.trim()) ??
    categories.find(({ name }) => plain !== '' && plainWord(name) === plain) ??
    ofKinds[0]
  if (found) return use(String(found.id))
  const name = value.trim().replaceAll(/\s+/g, ' ').slice(0, 255)
  return plain === '' ? NONE : { action: 'create', to: name }
}

/** An age in words alone, such as "adult", is no year: it stays open. */
const ageWords = dictionary({
  word: `${unknownWords},baby,young,young adult,adult,mature,middle aged,senior,puppy,pup,kitten,juvenile,adolescent,teenager,teen,old,elderly,geriatric,newborn,welpe,kitten,jung,jungtier,junghund,erwachsen,ausgewachsen,adult,alter,alt,bebe,chiot,chaton,jeune,jeune adulte,adulte,age,agee,vieux,vieille,cachorro,cachorra,joven,adulto,adulta,anciano,anciana,abuelo,mayor,gatito,viejo,jong,volwassen,oud,oudere,junior,unklar`,
})

function ageMatch(value: string, today: string): Match {
  const born =
    ageIn(value, today) ??
    (/^\D*\d{4}$|^\d{1,2}[./-]\d{4}$/.test(value.trim()) ? bornIn(value, 'dmy', today) : undefined)
  if (born) return use(born.date.slice(0, born.precision === 'year' ? 4 : 7))
  return ageWords(value) || /^[-–—?./\s]+$/.test(value.trim()) ? CLEAR : NONE
}

/** "Male, neutered", "FS", "intact male": the sex may tell that as well. */
export function neuteredBySex(value: string): 'yes' | 'no' | undefined {
  const text = value
    .trim()
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
  if (INTACT.test(text) || /^[mf][\s/,.-]*i$/.test(text)) return 'no'
  if (NEUTERED.test(text) || /^(?:[mw][\s/,.-]*k|[mf][\s/,.-]*[nsxc]|[nsc][\s/,.-]*[mf])\.?$/.test(text)) return 'yes'
  return undefined
}

const INTACT =
  /\b(intact|intakt|entire|unaltered|unneutered|unspayed|unkastr\w*|entiere?|enter[oa])\b|\b(not|nicht|non|pas|no|sin|niet|un)\b[\s-]*(neuter|spay|fixed|alter|kastr|steril|st[ée]ril|castr|esteril|gecastr|gesteril)/
const NEUTERED =
  /\b(neuter(ed)?|spayed|speyed|fixed|altered|desexed|castrated|gelded|gelding|kastr\w*|kastriert\w*|wallach|sterili\w*|st[ée]rili\w*|castr[eéao]\w*|hongre|esteriliz\w*|gecastr\w*|gesteril\w*|geholpen)\b|\bkastr\./
