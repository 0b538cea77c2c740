// The texts of the form with which a visitor reports a site to the operator, in the languages of a site.

import type { Language } from '@petstore-platform/contract/platform/site'

export type ReportTexts = {
  /** The link at the end of every page, and the heading of the form. */
  title: string
  lead: string
  what: string
  /** At the field for the email address. */
  emailHint: string
  send: string
  missing: string
  /** When there were too many of this site today, or of all sites. */
  many: string
  sentTitle: string
  sentText: string
}

const en: ReportTexts = {
  title: 'Report this site',
  lead: 'Is something on this site fraudulent, illegal or cruel? Your report goes to the technical operator of this site, and not to its owners.',
  what: 'What is wrong, and on which page?',
  emailHint: 'Enter it if the operator may reply to you.',
  send: 'Send the report',
  missing: 'Please describe what is wrong.',
  many: 'The operator has received several reports today and cannot accept more now. Please try again tomorrow.',
  sentTitle: 'Thank you for your report',
  sentText: 'The technical operator receives it by email.',
}

const de: ReportTexts = {
  title: 'Diese Website melden',
  lead: 'Ist etwas auf dieser Website betrügerisch, verboten oder grausam? Ihre Meldung geht an den technischen Betreiber dieser Website und nicht an ihre Inhaber.',
  what: 'Was stimmt nicht, und auf welcher Seite?',
  emailHint: 'Geben Sie sie an, wenn der Betreiber Ihnen antworten darf.',
  send: 'Meldung senden',
  missing: 'Bitte beschreiben Sie, was nicht stimmt.',
  many: 'Der Betreiber hat heute schon mehrere Meldungen bekommen und kann jetzt keine weiteren annehmen. Bitte versuchen Sie es morgen wieder.',
  sentTitle: 'Danke für Ihre Meldung',
  sentText: 'Der technische Betreiber bekommt sie per E-Mail.',
}

const fr: ReportTexts = {
  title: 'Signaler ce site',
  lead: 'Quelque chose sur ce site est frauduleux, illégal ou cruel ? Votre signalement est envoyé à l’opérateur technique de ce site, et non à ses propriétaires.',
  what: 'Quel est le problème, et sur quelle page ?',
  emailHint: 'Indiquez-la si l’opérateur peut vous répondre.',
  send: 'Envoyer le signalement',
  missing: 'Veuillez décrire le problème.',
  many: 'L’opérateur a déjà reçu plusieurs signalements aujourd’hui et ne peut pas en accepter d’autres maintenant. Veuillez réessayer demain.',
  sentTitle: 'Merci de votre signalement',
  sentText: 'L’opérateur technique le reçoit par e-mail.',
}

const es: ReportTexts = {
  title: 'Denunciar este sitio',
  lead: '¿Hay algo fraudulento, ilegal o cruel en este sitio? Tu denuncia llega al operador técnico del sitio, y no a sus propietarios.',
  what: '¿Qué ocurre y en qué página?',
  emailHint: 'Escríbelo si el operador puede responderte.',
  send: 'Enviar la denuncia',
  missing: 'Describe qué ocurre, por favor.',
  many: 'El operador ya ha recibido varias denuncias hoy y no puede aceptar más ahora. Vuelve a intentarlo mañana, por favor.',
  sentTitle: 'Gracias por tu denuncia',
  sentText: 'El operador técnico la recibe por correo.',
}

export const reportTexts: Readonly<Record<Language, ReportTexts>> = { en, de, fr, es }
