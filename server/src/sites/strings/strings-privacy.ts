// The texts of the privacy page, in the languages of a site. They describe what the program does, and promise nothing
// that it does not do: change them with it. Periods are inserted from the constants of the code, so no text contains a
// number. "We" are the owners of the site.

import type { Language } from '@petstore-platform/contract/platform/site'

export type PrivacyTexts = {
  title: string
  lead: string
  who: string
  runBy: readonly [before: string, after: string]
  noContact: string
  operator: string
  request: string
  stores: string
  /** To the questions of the form, where it has some. */
  answers: string
  /** What is stored besides the fields of the form. */
  also: string
  why: string
  mails: string
  time: string
  /** Where requests are confirmed by mail. */
  unconfirmed: (hours: number) => string
  kept: (days: number) => string
  /** The same. */
  own: string
  visit: string
  nothing: string
  log: string
  counted: (hours: number) => string
  receivers: string
  people: string
  /** Where the site can be reported. */
  reported: (days: number) => string
  links: string
  rights: string
  ask: string
  complain: string
}

const en: PrivacyTexts = {
  title: 'Privacy',
  lead: 'What this site stores about you, why, and for how long.',
  who: 'Who is responsible',
  runBy: ['This site is run by ', '.'],
  noContact: 'No contact details are published on this site.',
  operator: 'The technical operator of this site stores the data for us.',
  request: 'When you ask for an animal',
  stores: 'When you send the form, we store:',
  answers: 'your answers to the questions of the form',
  also: 'the animal, the time of your request, and what we decided',
  why: 'We need your name and your contact to reply to you and to decide on your request. We use what you write for nothing else.',
  mails: 'If you enter an email address, you may get emails about this request.',
  time: 'How long we keep it',
  unconfirmed: (hours) =>
    `Until you confirm your request by email, we store what you entered for up to ${hours} hours. Without a confirmation it is then deleted.`,
  kept: (days) =>
    `If you do not get the animal, what you entered is erased ${days} days after your request has ended. If you do, it stays stored until you ask us to delete it.`,
  own: 'On the page of your request, whose address is in our emails, you can withdraw it and delete what you entered yourself.',
  visit: 'When you only look around',
  nothing:
    'This site sets no cookies, runs no scripts, does not count its visitors, and loads nothing from other companies.',
  log: 'To send you a page, the server needs the internet address of your device. Its log of requests does not contain that address: only the time, the name of this site, and the result. If something fails, the address can appear in an error report.',
  counted: (hours) =>
    `When you send the form, the server counts for up to ${hours} hours how many requests come from your internet address and from those next to it, so that the form cannot be abused. It stores these numbers under a code instead of the address, and does not store the address with your request.`,
  receivers: 'Who receives it',
  people:
    'Your request is seen by the people who manage this site for us, in their accounts or by email. The technical operator stores it and delivers these emails. This site sends it to no one else.',
  reported: (days) =>
    `If you report this site, what you enter goes to the technical operator and not to us, and the server erases it ${days} days later.`,
  links:
    'The links for sharing an animal are plain links. The companies behind them learn about you only if you follow one.',
  rights: 'Your rights',
  ask: 'You can ask us what we store about you, and ask us to correct or delete it. Please give the name and the contact that you entered, so that we can find your request.',
  complain: 'You can also complain to the data protection authority of your country.',
}

const de: PrivacyTexts = {
  title: 'Datenschutz',
  lead: 'Was diese Website über Sie speichert, warum und wie lange.',
  who: 'Wer verantwortlich ist',
  runBy: ['Diese Website betreibt ', '.'],
  noContact: 'Auf dieser Website sind keine Kontaktdaten veröffentlicht.',
  operator: 'Der technische Betreiber dieser Website speichert die Daten für uns.',
  request: 'Wenn Sie nach einem Tier fragen',
  stores: 'Wenn Sie das Formular senden, speichern wir:',
  answers: 'Ihre Antworten auf die Fragen des Formulars',
  also: 'das Tier, den Zeitpunkt Ihrer Anfrage und wie wir entschieden haben',
  why: 'Wir brauchen Ihren Namen und Ihre Kontaktangabe, um Ihnen zu antworten und über Ihre Anfrage zu entscheiden. Wir verwenden das, was Sie schreiben, für nichts anderes.',
  mails: 'Wenn Sie eine E-Mail-Adresse angeben, bekommen Sie vielleicht E-Mails zu dieser Anfrage.',
  time: 'Wie lange wir es aufbewahren',
  unconfirmed: (hours) =>
    `Bis Sie Ihre Anfrage per E-Mail bestätigen, speichern wir Ihre Eingaben bis zu ${hours} Stunden. Ohne Bestätigung werden sie danach gelöscht.`,
  kept: (days) =>
    `Wenn Sie das Tier nicht bekommen, werden Ihre Eingaben ${days} Tage nach dem Ende Ihrer Anfrage gelöscht. Wenn Sie es bekommen, bleiben sie gespeichert, bis Sie uns bitten, sie zu löschen.`,
  own: 'Auf der Seite Ihrer Anfrage, deren Adresse in unseren E-Mails steht, können Sie sie selbst zurückziehen und Ihre Eingaben löschen.',
  visit: 'Wenn Sie sich nur umsehen',
  nothing:
    'Diese Website setzt keine Cookies, führt keine Skripte aus, zählt ihre Besucher nicht und lädt nichts von anderen Unternehmen.',
  log: 'Um Ihnen eine Seite zu senden, braucht der Server die Internetadresse Ihres Geräts. Sein Protokoll der Aufrufe enthält diese Adresse nicht, sondern nur die Zeit, den Namen dieser Website und das Ergebnis. Wenn etwas fehlschlägt, kann die Adresse in einem Fehlerbericht stehen.',
  counted: (hours) =>
    `Wenn Sie das Formular senden, zählt der Server bis zu ${hours} Stunden lang, wie viele Anfragen von Ihrer Internetadresse und von benachbarten kommen, damit das Formular nicht missbraucht werden kann. Er speichert diese Zahlen unter einem Code statt unter der Adresse, und die Adresse nicht mit Ihrer Anfrage.`,
  receivers: 'Wer es erhält',
  people:
    'Ihre Anfrage sehen die Menschen, die diese Website für uns verwalten, in ihren Konten oder per E-Mail. Der technische Betreiber speichert sie und stellt diese E-Mails zu. Sonst sendet diese Website sie an niemanden.',
  reported: (days) =>
    `Wenn Sie diese Website melden, gehen Ihre Eingaben an den technischen Betreiber und nicht an uns, und der Server löscht sie ${days} Tage später.`,
  links:
    'Die Links zum Teilen eines Tieres sind einfache Links. Die Unternehmen dahinter erfahren nur dann von Ihnen, wenn Sie einem folgen.',
  rights: 'Ihre Rechte',
  ask: 'Sie können uns fragen, was wir über Sie speichern, und uns bitten, es zu berichtigen oder zu löschen. Nennen Sie bitte den Namen und die Kontaktangabe, die Sie eingegeben haben, damit wir Ihre Anfrage finden.',
  complain: 'Sie können sich auch bei der Datenschutzbehörde Ihres Landes beschweren.',
}

const fr: PrivacyTexts = {
  title: 'Confidentialité',
  lead: 'Ce que ce site enregistre à votre sujet, pourquoi et combien de temps.',
  who: 'Qui est responsable',
  runBy: ['Ce site est géré par ', '.'],
  noContact: "Aucune coordonnée n'est publiée sur ce site.",
  operator: "L'opérateur technique de ce site enregistre les données pour nous.",
  request: 'Quand vous demandez un animal',
  stores: 'Quand vous envoyez le formulaire, nous enregistrons :',
  answers: 'vos réponses aux questions du formulaire',
  also: "l'animal, le moment de votre demande et notre décision",
  why: "Nous avons besoin de votre nom et de votre contact pour vous répondre et décider de votre demande. Nous n'utilisons ce que vous écrivez pour rien d'autre.",
  mails: 'Si vous indiquez une adresse e-mail, vous pouvez recevoir des e-mails au sujet de cette demande.',
  time: 'Combien de temps nous le gardons',
  unconfirmed: (hours) =>
    `Tant que vous n'avez pas confirmé votre demande par e-mail, nous enregistrons ce que vous avez saisi pendant ${hours} heures au plus. Sans confirmation, c'est ensuite effacé.`,
  kept: (days) =>
    `Si vous n'obtenez pas l'animal, ce que vous avez saisi est effacé ${days} jours après la fin de votre demande. Si vous l'obtenez, cela reste enregistré jusqu'à ce que vous nous demandiez de l'effacer.`,
  own: "Sur la page de votre demande, dont l'adresse figure dans nos e-mails, vous pouvez la retirer et effacer vous-même ce que vous avez saisi.",
  visit: 'Quand vous ne faites que regarder',
  nothing:
    "Ce site ne dépose pas de cookies, n'exécute pas de scripts, ne compte pas ses visiteurs et ne charge rien chez d'autres entreprises.",
  log: "Pour vous envoyer une page, le serveur a besoin de l'adresse internet de votre appareil. Son journal des requêtes ne contient pas cette adresse, mais seulement l'heure, le nom de ce site et le résultat. En cas de panne, l'adresse peut figurer dans un rapport d'erreur.",
  counted: (hours) =>
    `Quand vous envoyez le formulaire, le serveur compte pendant ${hours} heures au plus combien de demandes viennent de votre adresse internet et des adresses voisines, pour que le formulaire ne soit pas détourné. Il enregistre ces nombres sous un code à la place de l'adresse, et n'enregistre pas l'adresse avec votre demande.`,
  receivers: 'Qui le reçoit',
  people:
    "Votre demande est vue par les personnes qui gèrent ce site pour nous, dans leurs comptes ou par e-mail. L'opérateur technique l'enregistre et achemine ces e-mails. Ce site ne l'envoie à personne d'autre.",
  reported: (days) =>
    `Si vous signalez ce site, ce que vous saisissez est envoyé à l'opérateur technique et non à nous, et le serveur l'efface ${days} jours plus tard.`,
  links:
    'Les liens pour partager un animal sont de simples liens. Les entreprises concernées ne savent rien de vous tant que vous ne les suivez pas.',
  rights: 'Vos droits',
  ask: "Vous pouvez nous demander ce que nous enregistrons à votre sujet, et nous demander de le corriger ou de l'effacer. Merci d'indiquer le nom et le contact que vous avez saisis, pour que nous trouvions votre demande.",
  complain: "Vous pouvez aussi saisir l'autorité de protection des données de votre pays.",
}

const es: PrivacyTexts = {
  title: 'Privacidad',
  lead: 'Qué guarda este sitio sobre ti, para qué y durante cuánto tiempo.',
  who: 'Quién es responsable',
  runBy: ['Este sitio lo gestiona ', '.'],
  noContact: 'En este sitio no hay datos de contacto publicados.',
  operator: 'El operador técnico de este sitio guarda los datos por encargo nuestro.',
  request: 'Cuando preguntas por un animal',
  stores: 'Cuando envías el formulario, guardamos:',
  answers: 'tus respuestas a las preguntas del formulario',
  also: 'el animal, el momento de tu solicitud y lo que hemos decidido',
  why: 'Necesitamos tu nombre y tu contacto para responderte y decidir sobre tu solicitud. No usamos lo que escribes para nada más.',
  mails: 'Si indicas una dirección de correo, puede que recibas correos sobre esta solicitud.',
  time: 'Cuánto tiempo lo guardamos',
  unconfirmed: (hours) =>
    `Hasta que confirmes tu solicitud por correo, guardamos lo que escribiste durante ${hours} horas como máximo. Sin confirmación, después se borra.`,
  kept: (days) =>
    `Si no recibes el animal, lo que escribiste se borra ${days} días después de que termine tu solicitud. Si lo recibes, se guarda hasta que nos pidas que lo borremos.`,
  own: 'En la página de tu solicitud, cuya dirección está en nuestros correos, puedes retirarla y borrar tú mismo lo que escribiste.',
  visit: 'Cuando solo miras',
  nothing:
    'Este sitio no usa cookies, no ejecuta scripts, no cuenta a sus visitantes y no carga nada de otras empresas.',
  log: 'Para enviarte una página, el servidor necesita la dirección de internet de tu dispositivo. Su registro de peticiones no contiene esa dirección, solo la hora, el nombre de este sitio y el resultado. Si algo falla, la dirección puede aparecer en un informe de errores.',
  counted: (hours) =>
    `Cuando envías el formulario, el servidor cuenta durante ${hours} horas como máximo cuántas solicitudes llegan de tu dirección de internet y de las vecinas, para que no se abuse del formulario. Guarda esos números bajo un código en lugar de la dirección, y no guarda la dirección con tu solicitud.`,
  receivers: 'Quién lo recibe',
  people:
    'Tu solicitud la ven las personas que gestionan este sitio para nosotros, en sus cuentas o por correo. El operador técnico la guarda y entrega esos correos. Este sitio no la envía a nadie más.',
  reported: (days) =>
    `Si denuncias este sitio, lo que escribes llega al operador técnico y no a nosotros, y el servidor lo borra ${days} días después.`,
  links:
    'Los enlaces para compartir un animal son enlaces sencillos. Las empresas que hay detrás solo saben de ti si sigues uno.',
  rights: 'Tus derechos',
  ask: 'Puedes preguntarnos qué guardamos sobre ti y pedirnos que lo corrijamos o lo borremos. Indica el nombre y el contacto que escribiste, para que encontremos tu solicitud.',
  complain: 'También puedes reclamar ante la autoridad de protección de datos de tu país.',
}

export const privacyTexts: Readonly<Record<Language, PrivacyTexts>> = { en, de, fr, es }
