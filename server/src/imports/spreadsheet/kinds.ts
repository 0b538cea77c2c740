// Kinds of animals under the names that people give them, in English, German, French, Spanish and Dutch, and words that
// occur in the names of breeds. Pure data, and the functions that look them up.

import { dictionary, plainWord, wordsOf } from '@petstore-platform/contract/platform/spelled-words'

const kinds = {
  dog: 'dog,dogs,doggy,doggie,puppy,puppies,pup,pups,canine,canines,k9,hund,hunde,hundin,ruede,rude,welpe,welpen,junghund,chien,chiens,chienne,chiennes,chiot,chiots,canin,canins,perro,perros,perra,perras,perrito,perrita,perritos,cachorro,cachorros,cachorra,canino,caninos,canidos,hond,honden,teef,reu,pup,pups,puppies',
  cat: 'cat,cats,kitty,kitties,kitten,kittens,feline,felines,katze,katzen,kater,katzchen,kaetzchen,chat,chats,chatte,chattes,chaton,chatons,felin,felins,gato,gatos,gata,gatas,gatito,gatitos,gatita,felino,felinos,kat,katten,poes,poezen,kitten',
  rabbit:
    'rabbit,rabbits,bunny,bunnies,kaninchen,karnickel,hase,hasen,lapin,lapins,lapine,conejo,conejos,coneja,conejas,konijn,konijnen',
  guineaPig:
    'guinea pig,guinea pigs,guineapig,cavy,cavies,meerschweinchen,meeri,meeris,meersau,cochon d inde,cochons d inde,cobaye,cobayes,cobaya,cobayas,cuy,cuyes,conejillo de indias,cavia,cavias',
  hamster: 'hamster,hamsters,goldhamster',
  gerbil:
    'gerbil,gerbils,rennmaus,rennmause,wustenrennmaus,gerbille,gerbilles,jerbo,jerbos,gerbillo,gerbilino,woestijnrat',
  mouse: 'mouse,mice,maus,mause,farbmaus,farbmause,souris,raton,ratones,muis,muizen',
  rat: 'rat,rats,ratte,ratten,farbratte,rata,ratas,tamme rat,fancy rat,fancy rats',
  chinchilla: 'chinchilla,chinchillas,chinchila',
  degu: 'degu,degus,octodon,octodons',
  ferret: 'ferret,ferrets,frettchen,furet,furets,huron,hurones,fret,fretten',
  hedgehog: 'hedgehog,hedgehogs,igel,herisson,herissons,erizo,erizos,egel,egels',
  sugarGlider: 'sugar glider,sugar gliders,kurzkopfgleitbeutler,phalanger volant,petauro',
  budgie:
    'budgie,budgies,budgerigar,budgerigars,parakeet,parakeets,wellensittich,wellensittiche,welli,wellis,perruche ondulee,perruches ondulees,perruche,perruches,periquito,periquitos,grasparkiet,parkiet,grasparkieten,parkieten',
  cockatiel:
    'cockatiel,cockatiels,nymphensittich,nymphensittiche,nymphe,calopsitte,calopsittes,perruche calopsitte,carolina,ninfa,cacatua ninfa,valkparkiet,valkparkieten',
  lovebird:
    'lovebird,lovebirds,unzertrennliche,agapornide,agaporniden,agapornis,inseparable,inseparables,dwergpapegaai',
  parrot:
    'parrot,parrots,macaw,conure,cockatoo,papagei,papageien,graupapagei,ara,aras,kakadu,perroquet,perroquets,cacatoes,gris du gabon,loro,loros,guacamayo,cacatua,cotorra,papegaai,papegaaien,kaketoe',
  canary:
    'canary,canaries,kanarienvogel,kanarienvogel,kanarie,kanarien,canari,canaris,serin,canario,canarios,kanarievogel',
  finch:
    'finch,finches,zebra finch,zebrafink,zebrafinken,fink,finken,prachtfink,diamant mandarin,mandarin,pinson,diamante mandarin,pinzon,vink,vinken,zebravink',
  pigeon: 'pigeon,pigeons,dove,doves,taube,tauben,colombe,tourterelle,paloma,palomas,tortola,duif,duiven',
  chicken:
    'chicken,chickens,hen,hens,rooster,cockerel,poultry,huhn,huhner,henne,hennen,hahn,geflugel,poule,poules,coq,volaille,gallina,gallinas,gallo,kip,kippen,haan,pluimvee',
  duck: 'duck,ducks,ente,enten,canard,canards,pato,patos,eend,eenden',
  goose: 'goose,geese,gans,ganse,oie,oies,ganso,oca,ganzen',
  quail: 'quail,quails,wachtel,wachteln,caille,cailles,codorniz,codornices,kwartel,kwartels',
  bird: 'bird,birds,avian,vogel,voegel,ziervogel,oiseau,oiseaux,pajaro,pajaros,ave,aves,vogels',
  tortoise:
    'tortoise,tortoises,landschildkrote,landschildkroten,tortue terrestre,tortue de terre,tortuga terrestre,tortuga de tierra,landschildpad,landschildpadden',
  turtle:
    'turtle,turtles,terrapin,terrapins,schildkrote,schildkroten,wasserschildkrote,tortue,tortues,tortue d eau,tortue aquatique,tortuga,tortugas,tortuga de agua,schildpad,schildpadden,waterschildpad',
  snake:
    'snake,snakes,python,ball python,boa,corn snake,schlange,schlangen,kornnatter,konigspython,serpent,serpents,couleuvre,serpiente,serpientes,piton,slang,slangen',
  lizard:
    'lizard,lizards,iguana,bearded dragon,bearded dragons,chameleon,skink,echse,echsen,bartagame,bartagamen,leguan,chamaleon,lezard,lezards,agame,agame barbu,pogona,iguane,lagarto,lagartos,dragon barbudo,camaleon,hagedis,hagedissen,baardagaam',
  gecko: 'gecko,geckos,leopard gecko,leopardgecko,geckoes,gekko',
  reptile: 'reptile,reptiles,reptil,reptilien,terrarientiere,terrarientier,reptielen',
  frog: 'frog,frogs,toad,toads,amphibian,amphibians,frosch,frosche,krote,kroten,amphibien,grenouille,grenouilles,crapaud,rana,ranas,sapo,anfibio,kikker,kikkers',
  spider: 'spider,spiders,tarantula,tarantulas,spinne,spinnen,vogelspinne,araignee,mygale,arana,aranas,spin,vogelspin',
  fish: 'fish,fishes,goldfish,betta,guppy,koi,fisch,fische,zierfisch,zierfische,goldfisch,poisson,poissons,poisson rouge,pez,peces,vis,vissen,goudvis',
  pony: 'pony,ponies,ponys,poney,poneys,poni,ponis,shetlandpony',
  horse:
    'horse,horses,mare,gelding,stallion,equine,equines,pferd,pferde,stute,hengst,wallach,cheval,chevaux,jument,equide,equides,caballo,caballos,yegua,equino,equinos,paard,paarden',
  donkey: 'donkey,donkeys,mule,esel,maultier,ane,anes,mulet,burro,burros,asno,mula,ezel,ezels',
  goat: 'goat,goats,ziege,ziegen,chevre,chevres,bouc,cabra,cabras,geit,geiten',
  sheep: 'sheep,lamb,schaf,schafe,mouton,moutons,brebis,oveja,ovejas,schaap,schapen',
  pig: 'pig,pigs,piglet,potbellied pig,pot bellied pig,hog,schwein,schweine,minischwein,hangebauchschwein,cochon,cochons,cochon nain,cerdo,cerdos,minicerdo,cerdo vietnamita,varken,varkens',
  cow: 'cow,cows,cattle,calf,kuh,kuhe,rind,rinder,vache,vaches,veau,vaca,vacas,koe,koeien',
  alpaca: 'alpaca,alpacas,llama,llamas,alpaka,alpakas,lama,lamas',
  small:
    'small animal,small animals,small and furry,smalls,small furry,small furries,small pet,small pets,small mammal,small mammals,rodent,rodents,critter,critters,pocket pet,pocket pets,kleintier,kleintiere,nager,nagetier,nagetiere,heimtiere,rongeur,rongeurs,nac,petit animal,petits animaux,petit mammifere,petits mammiferes,pequenos animales,pequenos mamiferos,roedor,roedores,knaagdier,knaagdieren,klein dier,kleine dieren,kleindieren',
  farm: 'farm,barnyard,farm animal,farm animals,livestock,nutztier,nutztiere,hoftiere,animaux de ferme,animal de ferme,animales de granja,animal de granja,boerderijdier,boerderijdieren',
} as const
export type Kind = keyof typeof kinds

const kindOfWord = dictionary(kinds)

/** The kind that a more general category may hold instead. */
const generalKinds: Readonly<Partial<Record<Kind, Kind>>> = {
  guineaPig: 'small',
  hamster: 'small',
  gerbil: 'small',
  mouse: 'small',
  rat: 'small',
  chinchilla: 'small',
  degu: 'small',
  ferret: 'small',
  rabbit: 'small',
  hedgehog: 'small',
  sugarGlider: 'small',
  budgie: 'bird',
  cockatiel: 'bird',
  lovebird: 'bird',
  parrot: 'bird',
  canary: 'bird',
  finch: 'bird',
  pigeon: 'bird',
  chicken: 'bird',
  duck: 'bird',
  goose: 'bird',
  quail: 'bird',
  tortoise: 'turtle',
  turtle: 'reptile',
  snake: 'reptile',
  lizard: 'reptile',
  gecko: 'reptile',
  pony: 'horse',
  horse: 'farm',
  donkey: 'farm',
  goat: 'farm',
  sheep: 'farm',
  pig: 'farm',
  cow: 'farm',
  alpaca: 'farm',
}

/** From the most special to the most general. */
export function widerKinds(kind: Kind): Kind[] {
  const wider = generalKinds[kind]
  return wider === undefined ? [kind] : [kind, ...widerKinds(wider)]
}

/** German writes "Zwerghamster" and "Wasserschildkröte" in one word. */
const endings: readonly [string, Kind][] = [
  ['landschildkrote', 'tortoise'],
  ['schildkrote', 'turtle'],
  ['schildkroten', 'turtle'],
  ['schildpad', 'turtle'],
  ['wellensittich', 'budgie'],
  ['sittich', 'budgie'],
  ['sittiche', 'budgie'],
  ['papagei', 'parrot'],
  ['papegaai', 'parrot'],
  ['rennmaus', 'gerbil'],
  ['rennmause', 'gerbil'],
  ['maus', 'mouse'],
  ['hamster', 'hamster'],
  ['hamsters', 'hamster'],
  ['kaninchen', 'rabbit'],
  ['konijn', 'rabbit'],
  ['meerschweinchen', 'guineaPig'],
  ['schlange', 'snake'],
  ['python', 'snake'],
  ['gecko', 'gecko'],
  ['fink', 'finch'],
  ['finken', 'finch'],
  ['taube', 'pigeon'],
  ['huhn', 'chicken'],
  ['huhner', 'chicken'],
  ['vogel', 'bird'],
  ['vogels', 'bird'],
  ['hund', 'dog'],
  ['hunde', 'dog'],
  ['hond', 'dog'],
  ['honden', 'dog'],
  ['katze', 'cat'],
  ['katzen', 'cat'],
  ['kater', 'cat'],
  ['fisch', 'fish'],
  ['fische', 'fish'],
  ['pferd', 'horse'],
  ['schwein', 'pig'],
  ['ziege', 'goat'],
]

/** Of a whole value: "Guinea pigs", "Zwerghamster". */
function exactKind(text: string): Kind | undefined {
  const plain = plainWord(text)
  return kindOfWord(text) ?? endings.find(([ending]) => plain.length > ending.length && plain.endsWith(ending))?.[1]
}

/** Of a value: whole, without what is in parentheses, in pairs of words, or in one of them: "A (Stray Dog)", "Syrian hamster". */
export function kindOf(text: string): Kind | undefined {
  const words = wordsOf(text)
  const pairs = words.slice(1).map((word, index) => `${words[index]} ${word}`)
  for (const one of [text, text.replaceAll(/\([^()]*\)/g, ''), ...pairs, ...words]) {
    const kind = exactKind(one)
    if (kind !== undefined) return kind
  }
  return undefined
}

const breedWords = new Set(
  'labrador lab retriever golden shepherd schaferhund berger pastor herder terrier terriers poodle pudel caniche bulldog bulldogge bouledogue beagle boxer chihuahua collie corgi dachshund dackel teckel husky rottweiler spaniel spitz pinscher schnauzer dogge dane mastiff mastin galgo podenco greyhound lurcher whippet pitbull pit staffordshire staffy staffie malinois malinese akita samoyed samojede dalmatian dalmatiner maltese malteser bichon havanese havaneser shih yorkshire yorkie jack russell pug mops carlin pomeranian heeler kelpie hound setter pointer vizsla weimaraner doberman cane corso bernese berner sennenhund mischling mix mixed mixbreed crossbreed mestizo mestiza croise croisee mongrel mutt bastaardhond kruising europeen europeo europaisch europaische ekh bkh dsh dlh dmh domestic shorthair longhair hauskatze moggy siamese siamois siames siam persian perser persan persa maine coon ragdoll bengal bengale birman birma burmese sphynx british britisch russian abyssinian norwegian norwegische angora lop widder zwergwidder lionhead lowenkopfchen rex dutch netherland angora belier bordeaux siberian sibirisch'.split(
    ' ',
  ),
)

/** Whether it reads like a breed. */
export const isBreed = (text: string): boolean =>
  wordsOf(text).some((word) => breedWords.has(plainWord(word))) ||
  /(mix|mischling|terrier|hund|katze)$/i.test(text.trim())
