// The texts around a visitor's request, in the languages of a site: the questions, the page that waits for the
// confirmation, and the status page.

import type { OrderStage } from '@petstore-platform/contract/platform/orders'
import type { Language } from '@petstore-platform/contract/platform/site'
import type { AnswerMistake } from '../../orders/questions.ts'
import type { CapName } from '../../orders/caps.ts'

/** What a page says to a visitor besides mistakes in the first fields of the form. */
export type RequestMistake =
  | Exclude<AnswerMistake, 'characters'>
  | CapName
  | 'email_missing'
  | 'email_unusable'
  | 'queue_full'

/** A text with the name of the animal in it. */
type Named = (name: string) => readonly [before: string, name: string, after: string]

export type RequestTexts = {
  /** At the field for the address, where a link is mailed to it. */
  emailHint: string
  yes: string
  no: string
  /** The choice that leaves a question unanswered. */
  choose: string
  wrong: Readonly<Record<RequestMistake, string>>
  /** Before how the store can be reached. */
  call: string
  mailedTitle: string
  mailed: Named
  mailedHint: string
  confirmTitle: Named
  confirmText: string
  confirm: string
  /** Of a link that was used, is too old or was never sent. */
  goneTitle: string
  goneText: string
  statusTitle: Named
  stages: Readonly<Record<OrderStage, string>>
  visit: string
  keepLink: string
  withdraw: string
  withdrawText: string
  withdrawDo: string
  erase: string
  eraseText: string
  eraseDo: string
  erasedTitle: string
  erasedText: string
}

const en: RequestTexts = {
  emailHint: 'We send you a link. Your request reaches us once you have opened it and confirmed.',
  yes: 'Yes',
  no: 'No',
  choose: 'Please choose',
  wrong: {
    answer_missing: 'Please answer this question.',
    answer_long: 'Please write a shorter answer.',
    answer_number: 'Please enter a number.',
    answer_choice: 'Please choose one of the answers.',
    email_missing: 'Please enter your email address.',
    email_unusable: 'We cannot send mail to this address. Please check it.',
    asked_already: 'You have already asked for this animal. We will get in touch with you.',
    contact: 'You have already asked for three animals. We will answer these first.',
    address: 'Many requests came from your internet connection today, so we cannot accept another one here.',
    unconfirmed: 'We have received more requests than we can take through this form at the moment.',
    open: 'We have as many open requests as we can look after, so we cannot accept another one here until some are answered.',
    queue_full: 'Many people have asked for this animal already, so we cannot accept another request for it.',
  },
  call: 'Please call us or write to us:',
  mailedTitle: 'Check your mail',
  mailed: (name) => ['We have sent you a link. Open it to confirm your request for ', name, '.'],
  mailedHint: 'The link works for 24 hours. If no mail arrives, look in your spam folder.',
  confirmTitle: (name) => ['Your request for ', name, ''],
  confirmText: 'One more step: press the button, and your request reaches us.',
  confirm: 'Confirm request',
  goneTitle: 'This link no longer works',
  goneText: 'It is older than 24 hours, or the request was deleted. You can ask again on the page of the animal.',
  statusTitle: (name) => ['Your request for ', name, ''],
  stages: {
    new: 'We have received your request and will get in touch with you.',
    talking: 'We are in touch with you.',
    visit: 'A visit is arranged.',
    approved: 'We have said yes to your request.',
    completed: 'The animal has moved in with you. Thank you for giving it a home!',
    declined: 'We are sorry: we had to decline your request.',
    withdrawn: 'You have withdrawn your request.',
    closed: 'The animal has found a home with another person. Thank you for asking.',
    expired: 'Your request has expired. You are welcome to ask again.',
  },
  visit: 'Your visit',
  keepLink: 'Keep the address of this page: it shows how your request is going. Anyone who has it can see this page.',
  withdraw: 'Withdraw the request',
  withdrawText: 'We will then stop considering you for this animal.',
  withdrawDo: 'Withdraw now',
  erase: 'Delete my data',
  eraseText:
    'Your name, your contact, your message and your answers are deleted. An open request is withdrawn. This cannot be undone.',
  eraseDo: 'Delete now',
  erasedTitle: 'Your data has been deleted',
  erasedText: 'We no longer store who you are, how to reach you, or what you wrote.',
}

const de: RequestTexts = {
  emailHint: 'Wir senden Ihnen einen Link. Ihre Anfrage erreicht uns, sobald Sie ihn geöffnet und bestätigt haben.',
  yes: 'Ja',
  no: 'Nein',
  choose: 'Bitte wählen',
  wrong: {
    answer_missing: 'Bitte beantworten Sie diese Frage.',
    answer_long: 'Bitte schreiben Sie eine kürzere Antwort.',
    answer_number: 'Bitte geben Sie eine Zahl ein.',
    answer_choice: 'Bitte wählen Sie eine der Antworten.',
    email_missing: 'Bitte geben Sie Ihre E-Mail-Adresse an.',
    email_unusable: 'An diese Adresse können wir nichts senden. Bitte prüfen Sie sie.',
    asked_already: 'Sie haben schon nach diesem Tier gefragt. Wir melden uns bei Ihnen.',
    contact: 'Sie haben schon nach drei Tieren gefragt. Diese Anfragen beantworten wir zuerst.',
    address: 'Über Ihren Internetanschluss kamen heute viele Anfragen. Deshalb können wir hier keine weitere annehmen.',
    unconfirmed: 'Über dieses Formular haben uns mehr Anfragen erreicht, als wir im Moment annehmen können.',
    open: 'Wir haben so viele offene Anfragen, wie wir bearbeiten können, und nehmen hier erst wieder welche an, wenn einige beantwortet sind.',
    queue_full: 'Nach diesem Tier haben schon viele gefragt. Deshalb können wir keine weitere Anfrage annehmen.',
  },
  call: 'Bitte rufen Sie uns an oder schreiben Sie uns:',
  mailedTitle: 'Sehen Sie in Ihre E-Mails',
  mailed: (name) => [
    'Wir haben Ihnen einen Link gesendet. Öffnen Sie ihn, um Ihre Anfrage nach ',
    name,
    ' zu bestätigen.',
  ],
  mailedHint: 'Der Link gilt 24 Stunden. Wenn keine E-Mail ankommt, sehen Sie im Spam-Ordner nach.',
  confirmTitle: (name) => ['Ihre Anfrage nach ', name, ''],
  confirmText: 'Noch ein Schritt: Drücken Sie auf die Schaltfläche, dann erreicht uns Ihre Anfrage.',
  confirm: 'Anfrage bestätigen',
  goneTitle: 'Dieser Link gilt nicht mehr',
  goneText:
    'Er ist älter als 24 Stunden, oder die Anfrage wurde gelöscht. Auf der Seite des Tieres können Sie noch einmal fragen.',
  statusTitle: (name) => ['Ihre Anfrage nach ', name, ''],
  stages: {
    new: 'Ihre Anfrage ist bei uns. Wir melden uns bei Ihnen.',
    talking: 'Wir sind mit Ihnen im Gespräch.',
    visit: 'Ein Besuch ist vereinbart.',
    approved: 'Wir haben Ihrer Anfrage zugesagt.',
    completed: 'Das Tier ist bei Ihnen eingezogen. Danke, dass Sie ihm ein Zuhause geben!',
    declined: 'Es tut uns leid: Wir mussten Ihre Anfrage ablehnen.',
    withdrawn: 'Sie haben Ihre Anfrage zurückgezogen.',
    closed: 'Das Tier hat bei einem anderen Menschen ein Zuhause gefunden. Danke, dass Sie gefragt haben.',
    expired: 'Ihre Anfrage ist abgelaufen. Sie können gern noch einmal fragen.',
  },
  visit: 'Ihr Besuch',
  keepLink:
    'Heben Sie die Adresse dieser Seite auf: Sie zeigt den Stand Ihrer Anfrage. Wer die Adresse hat, kann diese Seite sehen.',
  withdraw: 'Anfrage zurückziehen',
  withdrawText: 'Wir ziehen Sie dann für dieses Tier nicht mehr in Betracht.',
  withdrawDo: 'Jetzt zurückziehen',
  erase: 'Meine Daten löschen',
  eraseText:
    'Ihr Name, Ihre Kontaktangabe, Ihre Nachricht und Ihre Antworten werden gelöscht. Eine offene Anfrage wird zurückgezogen. Das lässt sich nicht rückgängig machen.',
  eraseDo: 'Jetzt löschen',
  erasedTitle: 'Ihre Daten sind gelöscht',
  erasedText: 'Wir speichern nicht mehr, wer Sie sind, wie wir Sie erreichen und was Sie geschrieben haben.',
}

const fr: RequestTexts = {
  emailHint: 'Nous vous envoyons un lien. Votre demande nous parvient quand vous l’avez ouvert et confirmé.',
  yes: 'Oui',
  no: 'Non',
  choose: 'Veuillez choisir',
  wrong: {
    answer_missing: 'Merci de répondre à cette question.',
    answer_long: 'Merci d’écrire une réponse plus courte.',
    answer_number: 'Merci de saisir un nombre.',
    answer_choice: 'Merci de choisir une des réponses.',
    email_missing: 'Merci de saisir votre adresse e-mail.',
    email_unusable: 'Nous ne pouvons rien envoyer à cette adresse. Merci de la vérifier.',
    asked_already: 'Vous avez déjà demandé cet animal. Nous vous contacterons.',
    contact: 'Vous avez déjà demandé trois animaux. Nous répondrons d’abord à ces demandes.',
    address:
      'Beaucoup de demandes sont venues aujourd’hui de votre connexion internet. Nous ne pouvons pas en accepter une autre ici.',
    unconfirmed: 'Nous avons reçu plus de demandes que nous ne pouvons en accepter par ce formulaire pour le moment.',
    open: 'Nous avons autant de demandes en cours que nous pouvons en traiter ; nous en accepterons d’autres ici quand nous aurons répondu à certaines.',
    queue_full: 'Beaucoup de personnes ont déjà demandé cet animal. Nous ne pouvons pas accepter une autre demande.',
  },
  call: 'Merci de nous appeler ou de nous écrire :',
  mailedTitle: 'Consultez vos e-mails',
  mailed: (name) => ['Nous vous avons envoyé un lien. Ouvrez-le pour confirmer votre demande pour ', name, '.'],
  mailedHint: 'Le lien est valable 24 heures. Si aucun e-mail n’arrive, regardez dans vos indésirables.',
  confirmTitle: (name) => ['Votre demande pour ', name, ''],
  confirmText: 'Encore une étape : appuyez sur le bouton, et votre demande nous parvient.',
  confirm: 'Confirmer la demande',
  goneTitle: 'Ce lien n’est plus valable',
  goneText:
    'Il a plus de 24 heures, ou la demande a été effacée. Vous pouvez refaire une demande sur la page de l’animal.',
  statusTitle: (name) => ['Votre demande pour ', name, ''],
  stages: {
    new: 'Nous avons reçu votre demande et vous contacterons.',
    talking: 'Nous sommes en contact avec vous.',
    visit: 'Une visite est convenue.',
    approved: 'Nous avons accepté votre demande.',
    completed: 'L’animal vit maintenant chez vous. Merci de lui donner un foyer !',
    declined: 'Nous sommes désolés : nous avons dû refuser votre demande.',
    withdrawn: 'Vous avez retiré votre demande.',
    closed: 'L’animal a trouvé un foyer chez une autre personne. Merci de votre demande.',
    expired: 'Votre demande a expiré. Vous pouvez en faire une autre.',
  },
  visit: 'Votre visite',
  keepLink:
    'Gardez l’adresse de cette page : elle montre où en est votre demande. Toute personne qui l’a peut voir cette page.',
  withdraw: 'Retirer la demande',
  withdrawText: 'Nous ne vous prendrons alors plus en compte pour cet animal.',
  withdrawDo: 'Retirer maintenant',
  erase: 'Effacer mes données',
  eraseText:
    'Votre nom, votre contact, votre message et vos réponses sont effacés. Une demande ouverte est retirée. C’est irréversible.',
  eraseDo: 'Effacer maintenant',
  erasedTitle: 'Vos données sont effacées',
  erasedText: 'Nous n’enregistrons plus qui vous êtes, comment vous joindre, ni ce que vous avez écrit.',
}

const es: RequestTexts = {
  emailHint: 'Te enviamos un enlace. Tu solicitud nos llega cuando lo abres y la confirmas.',
  yes: 'Sí',
  no: 'No',
  choose: 'Elige una opción',
  wrong: {
    answer_missing: 'Responde a esta pregunta, por favor.',
    answer_long: 'Escribe una respuesta más corta, por favor.',
    answer_number: 'Escribe un número, por favor.',
    answer_choice: 'Elige una de las respuestas, por favor.',
    email_missing: 'Escribe tu dirección de correo, por favor.',
    email_unusable: 'No podemos enviar correo a esta dirección. Compruébala, por favor.',
    asked_already: 'Ya has preguntado por este animal. Nos pondremos en contacto contigo.',
    contact: 'Ya has preguntado por tres animales. Primero responderemos a esas solicitudes.',
    address: 'Hoy han llegado muchas solicitudes desde tu conexión a internet, así que aquí no podemos aceptar otra.',
    unconfirmed: 'Hemos recibido más solicitudes de las que podemos aceptar ahora por este formulario.',
    open: 'Tenemos tantas solicitudes abiertas como podemos atender; aquí aceptaremos más cuando hayamos respondido a algunas.',
    queue_full: 'Muchas personas han preguntado ya por este animal, así que no podemos aceptar otra solicitud.',
  },
  call: 'Llámanos o escríbenos, por favor:',
  mailedTitle: 'Mira tu correo',
  mailed: (name) => ['Te hemos enviado un enlace. Ábrelo para confirmar tu solicitud por ', name, '.'],
  mailedHint: 'El enlace vale 24 horas. Si no llega ningún correo, mira en la carpeta de spam.',
  confirmTitle: (name) => ['Tu solicitud por ', name, ''],
  confirmText: 'Un paso más: pulsa el botón y tu solicitud nos llega.',
  confirm: 'Confirmar la solicitud',
  goneTitle: 'Este enlace ya no vale',
  goneText: 'Tiene más de 24 horas, o la solicitud se borró. Puedes volver a preguntar en la página del animal.',
  statusTitle: (name) => ['Tu solicitud por ', name, ''],
  stages: {
    new: 'Hemos recibido tu solicitud y nos pondremos en contacto contigo.',
    talking: 'Estamos en contacto contigo.',
    visit: 'Hay una visita acordada.',
    approved: 'Hemos dicho que sí a tu solicitud.',
    completed: 'El animal vive ahora contigo. ¡Gracias por darle un hogar!',
    declined: 'Lo sentimos: hemos tenido que rechazar tu solicitud.',
    withdrawn: 'Has retirado tu solicitud.',
    closed: 'El animal ha encontrado un hogar con otra persona. Gracias por preguntar.',
    expired: 'Tu solicitud ha caducado. Puedes volver a preguntar.',
  },
  visit: 'Tu visita',
  keepLink:
    'Guarda la dirección de esta página: muestra cómo va tu solicitud. Quien tenga la dirección puede ver esta página.',
  withdraw: 'Retirar la solicitud',
  withdrawText: 'Entonces dejaremos de tenerte en cuenta para este animal.',
  withdrawDo: 'Retirar ahora',
  erase: 'Borrar mis datos',
  eraseText:
    'Se borran tu nombre, tu contacto, tu mensaje y tus respuestas. Una solicitud abierta se retira. No se puede deshacer.',
  eraseDo: 'Borrar ahora',
  erasedTitle: 'Tus datos se han borrado',
  erasedText: 'Ya no guardamos quién eres, cómo contactarte ni lo que escribiste.',
}

export const requestTexts: Readonly<Record<Language, RequestTexts>> = { en, de, fr, es }
