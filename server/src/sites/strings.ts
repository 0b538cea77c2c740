// What a site says by itself, in the languages that an owner can choose. Whatever
// the owner and the store say stands elsewhere.

import type { Language } from '@petstore/contract/platform/site'
import type { PetStatus } from '@petstore/contract/pets'

export type Words = {
  skip: string
  categories: string
  more: string
  everyone: string
  newest: string
  nobody: string
  newer: string
  older: string
  pages: string
  about: string
  contact: string
  phone: string
  email: string
  address: string
  back: string
  status: Record<PetStatus, string>
  unavailable: Record<Exclude<PetStatus, 'available'>, string>
  reserve: string
  reserveHint: string
  name: string
  reach: string
  reachHint: string
  message: string
  optional: string
  send: string
  privacy: string
  leaveEmpty: string
  mistakes: string
  thanks: string
  thanksFor: (name: string) => [before: string, name: string, after: string]
  next: string
  missing: string
  missingHint: string
  wrong: Record<Mistake, string>
}

/** Why a form was not taken. */
export type Mistake =
  | 'name_missing'
  | 'name_long'
  | 'contact_missing'
  | 'contact_unusable'
  | 'contact_long'
  | 'message_long'
  | 'characters'
  | 'stale'
  | 'busy'
  | 'taken'

const en: Words = {
  skip: 'Skip to content',
  categories: 'Categories',
  more: 'More',
  everyone: 'All animals',
  newest: 'Waiting for you',
  nobody: 'No animal is waiting here at the moment. Please look in again soon.',
  newer: 'Newer',
  older: 'Older',
  pages: 'Pages',
  about: 'About us',
  contact: 'Contact',
  phone: 'Phone',
  email: 'E-mail',
  address: 'Address',
  back: 'All animals',
  status: { available: 'Available', pending: 'Reserved', sold: 'Has a home' },
  unavailable: {
    pending: 'Somebody has reserved this animal. Should that change, it will be shown as available again.',
    sold: 'This animal has found a home.',
  },
  reserve: 'Reserve',
  reserveHint: 'Tell us how to reach you. It costs nothing and binds you to nothing.',
  name: 'Your name',
  reach: 'E-mail or phone',
  reachHint: 'So that we can answer you.',
  message: 'Message',
  optional: 'optional',
  send: 'Send reservation',
  privacy: 'What you write here is read by this store only, to answer you.',
  leaveEmpty: 'Leave this field empty',
  mistakes: 'Please look at this again:',
  thanks: 'Thank you!',
  thanksFor: (name) => ['Your reservation for ', name, ' has arrived.'],
  next: 'We will get in touch with you soon.',
  missing: 'There is nothing here',
  missingHint: 'The page may have moved, or the animal is no longer shown.',
  wrong: {
    name_missing: 'Please enter your name.',
    name_long: 'Please enter a shorter name: at most 100 characters.',
    contact_missing: 'Please enter an e-mail address or a phone number.',
    contact_unusable: 'This is neither an e-mail address nor a phone number.',
    contact_long: 'This is too long: at most 254 characters.',
    message_long: 'Please write a shorter message: at most 2000 characters.',
    characters: 'This holds characters that we cannot keep.',
    stale: 'This page had been open for a long time. Please send the form once more.',
    busy: 'There are very many reservations at the moment. Nothing is lost: please send the form again in a minute.',
    taken: 'We are sorry: somebody was faster. This animal has just been reserved.',
  },
}

const de: Words = {
  skip: 'Zum Inhalt springen',
  categories: 'Kategorien',
  more: 'Mehr',
  everyone: 'Alle Tiere',
  newest: 'Sie warten auf dich',
  nobody: 'Gerade wartet hier kein Tier. Schau bald wieder vorbei.',
  newer: 'Neuere',
  older: 'Ältere',
  pages: 'Seiten',
  about: 'Über uns',
  contact: 'Kontakt',
  phone: 'Telefon',
  email: 'E-Mail',
  address: 'Adresse',
  back: 'Alle Tiere',
  status: { available: 'Verfügbar', pending: 'Reserviert', sold: 'Hat ein Zuhause' },
  unavailable: {
    pending: 'Jemand hat dieses Tier reserviert. Sollte sich das ändern, wird es wieder als verfügbar gezeigt.',
    sold: 'Dieses Tier hat ein Zuhause gefunden.',
  },
  reserve: 'Reservieren',
  reserveHint: 'Sag uns, wie wir dich erreichen. Es kostet nichts und verpflichtet zu nichts.',
  name: 'Dein Name',
  reach: 'E-Mail oder Telefon',
  reachHint: 'Damit wir dir antworten können.',
  message: 'Nachricht',
  optional: 'freiwillig',
  send: 'Reservierung senden',
  privacy: 'Was du hier schreibst, liest nur dieses Haus, um dir zu antworten.',
  leaveEmpty: 'Dieses Feld leer lassen',
  mistakes: 'Bitte sieh hier noch einmal nach:',
  thanks: 'Vielen Dank!',
  thanksFor: (name) => ['Deine Reservierung für ', name, ' ist angekommen.'],
  next: 'Wir melden uns bald bei dir.',
  missing: 'Hier ist nichts',
  missingHint: 'Die Seite ist umgezogen, oder das Tier wird nicht mehr gezeigt.',
  wrong: {
    name_missing: 'Bitte gib deinen Namen an.',
    name_long: 'Bitte gib einen kürzeren Namen an: höchstens 100 Zeichen.',
    contact_missing: 'Bitte gib eine E-Mail-Adresse oder eine Telefonnummer an.',
    contact_unusable: 'Das ist weder eine E-Mail-Adresse noch eine Telefonnummer.',
    contact_long: 'Das ist zu lang: höchstens 254 Zeichen.',
    message_long: 'Bitte schreib eine kürzere Nachricht: höchstens 2000 Zeichen.',
    characters: 'Darin sind Zeichen, die wir nicht speichern können.',
    stale: 'Diese Seite war lange offen. Bitte sende das Formular noch einmal.',
    busy: 'Gerade kommen sehr viele Reservierungen. Es ist nichts verloren: Bitte sende das Formular in einer Minute noch einmal.',
    taken: 'Es tut uns leid: Jemand war schneller. Dieses Tier wurde gerade reserviert.',
  },
}

const fr: Words = {
  skip: 'Aller au contenu',
  categories: 'Catégories',
  more: 'Plus',
  everyone: 'Tous les animaux',
  newest: 'Ils vous attendent',
  nobody: "Aucun animal n'attend ici pour le moment. Revenez bientôt.",
  newer: 'Plus récents',
  older: 'Plus anciens',
  pages: 'Pages',
  about: 'À propos',
  contact: 'Contact',
  phone: 'Téléphone',
  email: 'E-mail',
  address: 'Adresse',
  back: 'Tous les animaux',
  status: { available: 'Disponible', pending: 'Réservé', sold: 'A trouvé un foyer' },
  unavailable: {
    pending: "Quelqu'un a réservé cet animal. Si cela change, il sera de nouveau affiché comme disponible.",
    sold: 'Cet animal a trouvé un foyer.',
  },
  reserve: 'Réserver',
  reserveHint: "Dites-nous comment vous joindre. C'est gratuit et sans engagement.",
  name: 'Votre nom',
  reach: 'E-mail ou téléphone',
  reachHint: 'Pour que nous puissions vous répondre.',
  message: 'Message',
  optional: 'facultatif',
  send: 'Envoyer la réservation',
  privacy: 'Ce que vous écrivez ici est lu uniquement par cet établissement, pour vous répondre.',
  leaveEmpty: 'Laissez ce champ vide',
  mistakes: 'Merci de vérifier ceci :',
  thanks: 'Merci !',
  thanksFor: (name) => ['Votre réservation pour ', name, ' est bien arrivée.'],
  next: 'Nous vous contacterons bientôt.',
  missing: "Il n'y a rien ici",
  missingHint: "La page a peut-être changé d'adresse, ou l'animal n'est plus affiché.",
  wrong: {
    name_missing: 'Indiquez votre nom.',
    name_long: 'Indiquez un nom plus court : 100 caractères au plus.',
    contact_missing: 'Indiquez une adresse e-mail ou un numéro de téléphone.',
    contact_unusable: "Ce n'est ni une adresse e-mail ni un numéro de téléphone.",
    contact_long: "C'est trop long : 254 caractères au plus.",
    message_long: 'Écrivez un message plus court : 2000 caractères au plus.',
    characters: 'Ce texte contient des caractères que nous ne pouvons pas conserver.',
    stale: 'Cette page était ouverte depuis longtemps. Envoyez le formulaire encore une fois.',
    busy: "Il y a énormément de réservations en ce moment. Rien n'est perdu : renvoyez le formulaire dans une minute.",
    taken: "Nous sommes désolés : quelqu'un a été plus rapide. Cet animal vient d'être réservé.",
  },
}

const es: Words = {
  skip: 'Ir al contenido',
  categories: 'Categorías',
  more: 'Más',
  everyone: 'Todos los animales',
  newest: 'Te están esperando',
  nobody: 'Ahora mismo no espera aquí ningún animal. Vuelve pronto.',
  newer: 'Más recientes',
  older: 'Anteriores',
  pages: 'Páginas',
  about: 'Quiénes somos',
  contact: 'Contacto',
  phone: 'Teléfono',
  email: 'Correo',
  address: 'Dirección',
  back: 'Todos los animales',
  status: { available: 'Disponible', pending: 'Reservado', sold: 'Tiene un hogar' },
  unavailable: {
    pending: 'Alguien ha reservado este animal. Si eso cambia, volverá a aparecer como disponible.',
    sold: 'Este animal ha encontrado un hogar.',
  },
  reserve: 'Reservar',
  reserveHint: 'Dinos cómo localizarte. No cuesta nada y no te compromete a nada.',
  name: 'Tu nombre',
  reach: 'Correo o teléfono',
  reachHint: 'Para poder responderte.',
  message: 'Mensaje',
  optional: 'opcional',
  send: 'Enviar la reserva',
  privacy: 'Lo que escribas aquí solo lo lee esta casa, para responderte.',
  leaveEmpty: 'Deja este campo vacío',
  mistakes: 'Revisa esto, por favor:',
  thanks: '¡Muchas gracias!',
  thanksFor: (name) => ['Tu reserva de ', name, ' ha llegado.'],
  next: 'Nos pondremos en contacto contigo muy pronto.',
  missing: 'Aquí no hay nada',
  missingHint: 'Puede que la página se haya movido o que el animal ya no se muestre.',
  wrong: {
    name_missing: 'Escribe tu nombre.',
    name_long: 'Escribe un nombre más corto: 100 caracteres como máximo.',
    contact_missing: 'Escribe un correo o un número de teléfono.',
    contact_unusable: 'Esto no es ni un correo ni un número de teléfono.',
    contact_long: 'Es demasiado largo: 254 caracteres como máximo.',
    message_long: 'Escribe un mensaje más corto: 2000 caracteres como máximo.',
    characters: 'Contiene caracteres que no podemos guardar.',
    stale: 'Esta página llevaba mucho tiempo abierta. Envía el formulario otra vez.',
    busy: 'Hay muchísimas reservas en este momento. No se ha perdido nada: envía el formulario de nuevo en un minuto.',
    taken: 'Lo sentimos: alguien fue más rápido. Este animal acaba de ser reservado.',
  },
}

export const wordsOf: Record<Language, Words> = { en, de, fr, es }
