// The status of an animal as people write it, in English, German, French, Spanish and Dutch: whole phrases first, then the
// words that decide, so that "Adopted 12/03" and "reserviert (Fam. Meier)" are understood. "No", "quarantine" or "medical
// hold" say that an animal is not available, and nothing more: they have no match. Pure.

import type { PetStatus } from '@petstore-platform/contract/pets'
import { dictionary, plainWord } from '@petstore-platform/contract/platform/spelled-words'

/** `gone`: it is no longer an animal of this owner. */
type Status = PetStatus | 'gone'

const phrases = dictionary<Status>({
  available:
    'yes,y,ja,j,oui,o,si,available,avail,adoptable,active,for adoption,up for adoption,ready,ready to go,ready now,ready for adoption,available for adoption,available now,for sale,in stock,open,in shelter,in care,in rescue,on site,onsite,foster,in foster,in foster care,fostered,looking,looking for a home,seeking home,needs home,still here,waiting,still waiting,a,verfugbar,zu vermitteln,zur vermittlung,zur vermittlung frei,zur adoption,in vermittlung,sucht zuhause,sucht ein zuhause,sucht,suchend,auf der suche,im heim,im tierheim,bei uns,pflegestelle,auf pflegestelle,auf pflege,vermittelbar,frei,noch da,noch frei,zu verkaufen,zu haben,abgabebereit,vorratig,auf lager,lieferbar,disponible,dispo,a l adoption,a adopter,adoptable,proposable,proposable a l adoption,en attente d adoption,en attente de famille,au refuge,en refuge,en famille d accueil,famille d accueil,en fa,libre,a vendre,en stock,en rayon,cherche famille,cherche une famille,cherche foyer,en adopcion,en refugio,en el refugio,en acogida,busca hogar,busca casa,busca familia,casa de acogida,en venta,a la venta,disponible para adopcion,adoptable,beschikbaar,ter adoptie,te koop,zoekt een huis,zoekt huis,zoekt thuis,zoekt een thuis,zoekende,in opvang,in asiel,in gastgezin,op zoek,plaatsbaar,vrij,te plaatsen,op voorraad',
  pending:
    'vorvermittelt,pending,pend,p,reserved,rsvd,res,resv,hold,on hold,held,h,adoption pending,adoption in progress,application pending,app pending,pending adoption,pending application,application in,applied for,under offer,under application,under consideration,spoken for,claimed,matched,meet and greet,meet greet,home check,homecheck,homecheck pending,trial,on trial,trial adoption,trial period,home trial,foster to adopt,in process,deposit paid,reserviert,res,vorgemerkt,in reservierung,probezeit,probewohnen,auf probe,zur probe,in verhandlung,in aussicht,interessenten vorhanden,in anbahnung,vorkontrolle,reserve,reservee,option,en option,sous option,optionne,optionnee,en cours d adoption,adoption en cours,en cours,essai,en essai,a l essai,pre adopte,pre adoptee,pre reserve,reservado,reservada,res,en proceso,en proceso de adopcion,adopcion en proceso,en tramite,en tramites,en tramite de adopcion,preadoptado,preadoptada,pre adoptado,pre adoptada,apalabrado,apalabrada,en prueba,gereserveerd,in optie,optie,onder optie,proefplaatsing,op proef,in behandeling,adoptie in behandeling',
  sold: 'x,sold,adopted,homed,rehomed,re homed,placed,found a home,found home,forever home,in forever home,in new home,new home,gone home,went home,happy tail,happy ending,happy tails,healthy in home,vermittelt,verkauft,adoptiert,zuhause gefunden,hat ein zuhause,hat zuhause gefunden,zu hause gefunden,im neuen zuhause,in neuem zuhause,ausgezogen,umgezogen,vergeben,abgegeben an neue familie,happy end,adopte,adoptee,vendu,vendue,place,placee,a trouve une famille,famille trouvee,dans sa famille,parti,partie,parti en famille,adoptado,adoptada,vendido,vendida,con familia,ya tiene casa,ya tiene familia,en su hogar,entregado,entregada,en casa definitiva,geadopteerd,verkocht,geplaatst,herplaatst,thuis gevonden,huis gevonden,heeft een thuis,naar nieuw thuis,uitgeplaatst',
  gone: 'deceased,died,dead,euthanised,euthanized,put to sleep,pts,rip,passed away,passed,transferred,transfer,transferred out,moved to other shelter,returned to owner,return to owner,reclaimed,reclaimed by owner,rto,redeemed,escaped,stolen,lost,missing,verstorben,gestorben,tot,eingeschlafert,erlost,zuruck an besitzer,zuruck zum besitzer,vom besitzer abgeholt,ruckgabe an besitzer,ruckgabe,abgegeben,verlegt,anderes tierheim,entlaufen,vermisst,uber die regenbogenbrucke,decede,decedee,mort,morte,euthanasie,euthanasiee,rendu au proprietaire,rendu a son proprietaire,repris par le proprietaire,restitue,transfere,transferee,perdu,fallecido,fallecida,muerto,muerta,eutanasiado,eutanasiada,devuelto,devuelto al dueno,devuelto a su dueno,recuperado por su dueno,trasladado,trasladada,transferido,transferida,perdido,overleden,dood,ingeslapen,terug naar eigenaar,terug eigenaar,overgeplaatst,weggelopen,vermist',
})

/** In this order. A negation in front of a word takes its meaning, so such texts are left to the owner. */
const rules: readonly [Status | undefined, RegExp][] = [
  [
    undefined,
    /\b(not|no|nicht|non|pas|niet|kein\w*|geen|un)\b ?(yet|noch|encore|longer|mehr|plus|langer)? ?(available|adoptable|ready|for|verfugbar|zu|zur|disponible|adoptable|beschikbaar|reserv\w*|vermittel\w*)/,
  ],
  [
    undefined,
    /\b(medical|quarantine|quarantane|quarantaine|cuarentena|sick|krank|malade|enfermo|ziek|returned|wird|stray hold|evaluation|behaviou?r)\b/,
  ],
  [
    'gone',
    /\b(died|deceased|euthan\w*|rainbow bridge|verstorben|gestorben|eingeschlafert|decede\w*|fallecid[oa]|overleden|returned to owner|reclaimed)\b/,
  ],
  [
    'pending',
    /\b(pending|reserv\w*|gereserveerd|on hold|hold for|vorgemerkt|under offer|en cours|en proceso|en tramite|pre ?adop\w*|option|optie|trial|probe|auf probe|a l essai|application|meet and greet|home ?check|spoken for)\b/,
  ],
  [
    'sold',
    /\b(adopted|sold|rehomed|homed|went home|new home|forever home|found (a|his|her|its|their)?\s*(new |forever )?home|vermittelt|verkauft|zuhause gefunden|adoptee?|vendue?|adoptad[oa]|vendid[oa]|geadopteerd|verkocht|herplaatst)\b/,
  ],
  [
    'available',
    /\b(available|adoptable|for adoption|for sale|looking for|seeking|needs? (a )?home|verfugbar|zu vermitteln|zur vermittlung|sucht|a adopter|a l adoption|disponible|cherche|busca|en adopcion|en venta|beschikbaar|zoekt|ter adoptie|te koop|in foster|en acogida|famille d accueil)\b/,
  ],
]

export function statusOf(value: string): Status | undefined {
  const found = phrases(value) ?? phrases(value.replaceAll(/\([^()]*\)|\[[^[\]]*\]/g, ''))
  if (found !== undefined) return found
  const text = value
    .split(/[^\p{Letter}\p{Mark}]+/u)
    .map(plainWord)
    .filter((word) => word !== '')
    .join(' ')
  return rules.find(([, pattern]) => pattern.test(text))?.[0]
}
