// The built-in texts of a site, in the languages that an owner can choose. Texts of the
// owner and the store are elsewhere.

import type { Language } from '@petstore/contract/platform/site'
import type { PetStatus } from '@petstore/contract/pets'

export type Words = {
  skip: string
  categories: string
  more: string
  everyone: string
  newest: string
  /** A number of animals. */
  animals: (count: number) => string
  menu: string
  meet: string
  others: string
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
  /** What a visitor does to get the animal. */
  ask: (name: string) => [before: string, name: string, after: string]
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

/** The reason why a form was rejected. */
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
  animals: (count) => (count === 1 ? '1 animal' : `${count} animals`),
  menu: 'Menu',
  meet: 'Meet them',
  others: 'Also waiting for you',
  nobody: 'There are no animals here at the moment. Please check back soon.',
  newer: 'Newer',
  older: 'Older',
  pages: 'Pages',
  about: 'About us',
  contact: 'Contact',
  phone: 'Phone',
  email: 'Email',
  address: 'Address',
  back: 'All animals',
  status: { available: 'Available', pending: 'Reserved', sold: 'Has a home' },
  unavailable: {
    pending: 'This animal is reserved. If that changes, it will be shown as available again.',
    sold: 'This animal has found a home.',
  },
  ask: (name) => ['Ask for ', name, ''],
  reserveHint: 'Tell us how to reach you. It is free and without obligation.',
  name: 'Your name',
  reach: 'Email or phone',
  reachHint: 'So that we can reply to you.',
  message: 'Message',
  optional: 'optional',
  send: 'Send reservation',
  privacy: 'Only this store sees what you write here, and only to reply to you.',
  leaveEmpty: 'Leave this field empty',
  mistakes: 'Please check the following:',
  thanks: 'Thank you!',
  thanksFor: (name) => ['Your reservation for ', name, ' has arrived.'],
  next: 'We will get in touch with you soon.',
  missing: 'Page not found',
  missingHint: 'The page may have moved, or the animal is no longer shown.',
  wrong: {
    name_missing: 'Please enter your name.',
    name_long: 'Please enter a shorter name: at most 100 characters.',
    contact_missing: 'Please enter an email address or a phone number.',
    contact_unusable: 'This is neither an email address nor a phone number.',
    contact_long: 'This is too long: at most 254 characters.',
    message_long: 'Please write a shorter message: at most 2000 characters.',
    characters: 'This contains characters that we cannot store.',
    stale: 'This page was open for a long time. Please send the form again.',
    busy: 'We are receiving many reservations at the moment. Nothing is lost: please send the form again in a minute.',
    taken: 'Sorry, this animal has just been reserved by someone else.',
  },
}

const de: Words = {
  skip: 'Zum Inhalt springen',
  categories: 'Kategorien',
  more: 'Mehr',
  everyone: 'Alle Tiere',
  newest: 'Sie warten auf dich',
  animals: (count) => (count === 1 ? '1 Tier' : `${count} Tiere`),
  menu: 'Menü',
  meet: 'Lern sie kennen',
  others: 'Auch sie warten auf dich',
  nobody: 'Im Moment sind hier keine Tiere. Schau bald wieder vorbei.',
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
    pending: 'Dieses Tier ist reserviert. Sollte sich das ändern, wird es wieder als verfügbar gezeigt.',
    sold: 'Dieses Tier hat ein Zuhause gefunden.',
  },
  ask: (name) => ['Nach ', name, ' fragen'],
  reserveHint: 'Sag uns, wie wir dich erreichen. Es ist kostenlos und unverbindlich.',
  name: 'Dein Name',
  reach: 'E-Mail oder Telefon',
  reachHint: 'Damit wir dir antworten können.',
  message: 'Nachricht',
  optional: 'freiwillig',
  send: 'Reservierung senden',
  privacy: 'Was du hier schreibst, sieht nur dieses Haus, und nur, um dir zu antworten.',
  leaveEmpty: 'Dieses Feld leer lassen',
  mistakes: 'Bitte prüfe Folgendes:',
  thanks: 'Vielen Dank!',
  thanksFor: (name) => ['Deine Reservierung für ', name, ' ist angekommen.'],
  next: 'Wir melden uns bald bei dir.',
  missing: 'Seite nicht gefunden',
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
    busy: 'Im Moment erreichen uns viele Reservierungen. Es ist nichts verloren: Bitte sende das Formular in einer Minute noch einmal.',
    taken: 'Leider hat gerade jemand anderes dieses Tier reserviert.',
  },
}

const fr: Words = {
  skip: 'Aller au contenu',
  categories: 'Catégories',
  more: 'Plus',
  everyone: 'Tous les animaux',
  newest: 'Ils vous attendent',
  animals: (count) => (count === 1 ? '1 animal' : `${count} animaux`),
  menu: 'Menu',
  meet: 'Faites connaissance',
  others: 'Ils vous attendent aussi',
  nobody: "Il n'y a pas d'animaux ici pour le moment. Revenez bientôt.",
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
    pending: 'Cet animal est réservé. Si cela change, il sera de nouveau affiché comme disponible.',
    sold: 'Cet animal a trouvé un foyer.',
  },
  ask: (name) => ["Je m'intéresse à ", name, ''],
  reserveHint: "Dites-nous comment vous joindre. C'est gratuit et sans engagement.",
  name: 'Votre nom',
  reach: 'E-mail ou téléphone',
  reachHint: 'Pour que nous puissions vous répondre.',
  message: 'Message',
  optional: 'facultatif',
  send: 'Envoyer la réservation',
  privacy: 'Seul cet établissement voit ce que vous écrivez ici, et uniquement pour vous répondre.',
  leaveEmpty: 'Laissez ce champ vide',
  mistakes: 'Merci de vérifier les points suivants :',
  thanks: 'Merci !',
  thanksFor: (name) => ['Votre réservation pour ', name, ' est bien arrivée.'],
  next: 'Nous vous contacterons bientôt.',
  missing: 'Page introuvable',
  missingHint: "La page a peut-être changé d'adresse, ou l'animal n'est plus affiché.",
  wrong: {
    name_missing: 'Indiquez votre nom.',
    name_long: 'Indiquez un nom plus court : 100 caractères au plus.',
    contact_missing: 'Indiquez une adresse e-mail ou un numéro de téléphone.',
    contact_unusable: "Ce n'est ni une adresse e-mail ni un numéro de téléphone.",
    contact_long: "C'est trop long : 254 caractères au plus.",
    message_long: 'Écrivez un message plus court : 2000 caractères au plus.',
    characters: 'Ce texte contient des caractères que nous ne pouvons pas enregistrer.',
    stale: 'Cette page était ouverte depuis longtemps. Veuillez renvoyer le formulaire.',
    busy: "Nous recevons beaucoup de réservations en ce moment. Rien n'est perdu : renvoyez le formulaire dans une minute.",
    taken: "Désolé, quelqu'un d'autre vient de réserver cet animal.",
  },
}

const es: Words = {
  skip: 'Ir al contenido',
  categories: 'Categorías',
  more: 'Más',
  everyone: 'Todos los animales',
  newest: 'Te están esperando',
  animals: (count) => (count === 1 ? '1 animal' : `${count} animales`),
  menu: 'Menú',
  meet: 'Conócelos',
  others: 'También te esperan',
  nobody: 'Ahora mismo no hay animales aquí. Vuelve pronto.',
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
    pending: 'Este animal está reservado. Si eso cambia, volverá a aparecer como disponible.',
    sold: 'Este animal ha encontrado un hogar.',
  },
  ask: (name) => ['Preguntar por ', name, ''],
  reserveHint: 'Dinos cómo localizarte. Es gratis y sin compromiso.',
  name: 'Tu nombre',
  reach: 'Correo o teléfono',
  reachHint: 'Para poder responderte.',
  message: 'Mensaje',
  optional: 'opcional',
  send: 'Enviar la reserva',
  privacy: 'Solo esta casa ve lo que escribes aquí, y solo para responderte.',
  leaveEmpty: 'Deja este campo vacío',
  mistakes: 'Revisa lo siguiente, por favor:',
  thanks: '¡Muchas gracias!',
  thanksFor: (name) => ['Tu reserva de ', name, ' ha llegado.'],
  next: 'Nos pondremos en contacto contigo muy pronto.',
  missing: 'Página no encontrada',
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
    busy: 'Estamos recibiendo muchas reservas en este momento. No se ha perdido nada: envía el formulario de nuevo en un minuto.',
    taken: 'Lo sentimos: otra persona acaba de reservar este animal.',
  },
}

export const wordsOf: Record<Language, Words> = { en, de, fr, es }
