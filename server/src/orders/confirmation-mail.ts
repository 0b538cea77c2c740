// The mail with which a visitor confirms a request. It contains nothing that the visitor typed: otherwise a stranger
// could have a text of their own sent to any address. Names of a store or an animal that would become links are left out,
// for the same reason: a store can have the mail sent to any address as well. Pure: facts in, mail out.

import type { Language } from '@petstore-platform/contract/platform/site'
import { looksLikeAddress } from '../mail/linked-names.ts'
import { inSubject, type Mail } from '../mail/mail.ts'

export type ConfirmationFacts = { language: Language; store: string; animal: string; url: string }

export function confirmationMail({ language, url, ...names }: ConfirmationFacts): Mail {
  const words = texts[language]
  const store = looksLikeAddress(names.store) ? words.store : names.store
  const animal = looksLikeAddress(names.animal) ? words.animal : names.animal
  return {
    language,
    subject: words.subject(inSubject(store), inSubject(animal)),
    blocks: [
      { kind: 'heading', text: words.heading(animal) },
      { kind: 'paragraph', text: words.text(store, animal) },
      { kind: 'button', text: words.button, url },
      { kind: 'paragraph', text: words.until },
      { kind: 'paragraph', text: words.notYou },
    ],
    footer: words.footer(store),
  }
}

type Texts = {
  /** Instead of a name. */
  store: string
  animal: string
  subject: (store: string, animal: string) => string
  heading: (animal: string) => string
  text: (store: string, animal: string) => string
  button: string
  until: string
  notYou: string
  footer: (store: string) => string
}

const texts: Readonly<Record<Language, Texts>> = {
  en: {
    store: 'Petstore',
    animal: 'an animal',
    subject: (store, animal) => `${store}: confirm your request for ${animal}`,
    heading: (animal) => `Confirm your request for ${animal}`,
    text: (store, animal) =>
      `You have asked ${store} for ${animal}. Open the page and press the button on it; then the request arrives.`,
    button: 'Open the page',
    until: 'The link works for 24 hours. After that, what you entered is deleted.',
    notYou: 'If you did not ask for an animal, you need not do anything: without a confirmation there is no request.',
    footer: (store) => `This address was entered on the site of ${store}.`,
  },
  de: {
    store: 'Petstore',
    animal: 'einem Tier',
    subject: (store, animal) => `${store}: Bestätigen Sie Ihre Anfrage nach ${animal}`,
    heading: (animal) => `Bestätigen Sie Ihre Anfrage nach ${animal}`,
    text: (store, animal) =>
      `Sie haben bei ${store} nach ${animal} gefragt. Öffnen Sie die Seite und drücken Sie dort auf die Schaltfläche, dann kommt die Anfrage an.`,
    button: 'Seite öffnen',
    until: 'Der Link gilt 24 Stunden. Danach wird gelöscht, was Sie eingegeben haben.',
    notYou: 'Wenn Sie nach keinem Tier gefragt haben, müssen Sie nichts tun: Ohne Bestätigung gibt es keine Anfrage.',
    footer: (store) => `Diese Adresse wurde auf der Website von ${store} eingegeben.`,
  },
  fr: {
    store: 'Petstore',
    animal: 'un animal',
    subject: (store, animal) => `${store} : confirmez votre demande pour ${animal}`,
    heading: (animal) => `Confirmez votre demande pour ${animal}`,
    text: (store, animal) =>
      `Vous avez fait une demande pour ${animal} auprès de ${store}. Ouvrez la page et appuyez sur le bouton : la demande est alors transmise.`,
    button: 'Ouvrir la page',
    until: 'Le lien est valable 24 heures. Ensuite, ce que vous avez saisi est effacé.',
    notYou:
      "Si vous n'avez demandé aucun animal, vous n'avez rien à faire : sans confirmation, il n'y a pas de demande.",
    footer: (store) => `Cette adresse a été saisie sur le site de ${store}.`,
  },
  es: {
    store: 'Petstore',
    animal: 'un animal',
    subject: (store, animal) => `${store}: confirme su solicitud por ${animal}`,
    heading: (animal) => `Confirme su solicitud por ${animal}`,
    text: (store, animal) =>
      `Ha preguntado a ${store} por ${animal}. Abra la página y pulse el botón que hay en ella; entonces llega la solicitud.`,
    button: 'Abrir la página',
    until: 'El enlace vale 24 horas. Después se borra lo que escribió.',
    notYou: 'Si no ha preguntado por ningún animal, no tiene que hacer nada: sin confirmación no hay solicitud.',
    footer: (store) => `Esta dirección se escribió en el sitio de ${store}.`,
  },
}
