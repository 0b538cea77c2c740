// The texts of the mails about requests for animals, in the languages that a person or a site can
// choose.

import type { Language } from '@petstore-platform/contract/platform/site'

type ForVisitor = (animal: string, store: string) => string

type Texts = {
  placed: {
    subject: (animal: string) => string
    text: (visitor: string, animal: string) => string
    held: (animal: string, until: string) => string
    reply: (visitor: string) => string
  }
  expiring: {
    subject: (animal: string) => string
    text: (visitor: string, animal: string, until: string) => string
  }
  name: string
  contact: string
  message: string
  button: string
  /** To the visitor, in the language of the site. */
  visitor: {
    subject: (store: string, animal: string) => string
    heading: (animal: string) => string
    received: ForVisitor
    held: (animal: string, until: string) => string
    announced: string
    approved: ForVisitor
    arrange: (store: string) => string
    declined: ForVisitor
    expired: ForVisitor
    again: (animal: string, store: string) => string
    questions: (store: string) => string
    email: string
    phone: string
    address: string
    footer: (store: string) => string
  }
}

export const orderTexts: Readonly<Record<Language, Texts>> = {
  en: {
    placed: {
      subject: (animal) => `New request for ${animal}`,
      text: (visitor, animal) => `${visitor} would like to have ${animal}.`,
      held: (animal, until) =>
        `${animal} is held until ${until}. Without a decision by then, the request expires and the animal becomes available again.`,
      reply: (visitor) => `If you reply to this mail, ${visitor} gets your reply.`,
    },
    expiring: {
      subject: (animal) => `The request for ${animal} expires tomorrow`,
      text: (visitor, animal, until) =>
        `${visitor} is still waiting for your decision. Without one, the request expires on ${until}, and ${animal} becomes available again.`,
    },
    name: 'Name',
    contact: 'Contact',
    message: 'Message',
    button: 'Decide about the request',
    visitor: {
      subject: (store, animal) => `${store}: your request for ${animal}`,
      heading: (animal) => `Your request for ${animal}`,
      received: (animal, store) => `Thank you. ${store} has received your request for ${animal}.`,
      held: (animal, until) => `${animal} is reserved for you until ${until}.`,
      announced: 'We will write to you at this address when your request is decided.',
      approved: (animal, store) => `Good news: ${store} has approved your request for ${animal}.`,
      arrange: (store) => `${store} will arrange the next steps with you.`,
      declined: (animal, store) => `We are sorry: ${store} has declined your request for ${animal}.`,
      expired: (animal, store) =>
        `We are sorry: ${store} has not decided about your request for ${animal} in time. It has expired, and ${animal} is no longer reserved for you.`,
      again: (animal, store) => `If you are still interested in ${animal}, reserve again on the site of ${store}.`,
      questions: (store) => `If you have questions, contact ${store}:`,
      email: 'Email',
      phone: 'Phone',
      address: 'Address',
      footer: (store) =>
        `You get this mail because your address was entered in a reservation on the site of ${store}. If that was not you, ignore this mail.`,
    },
  },
  de: {
    placed: {
      subject: (animal) => `Neue Anfrage für ${animal}`,
      text: (visitor, animal) => `${visitor} interessiert sich für ${animal}.`,
      held: (animal, until) =>
        `${animal} ist bis ${until} reserviert. Ohne Entscheidung verfällt die Anfrage dann, und das Tier ist wieder verfügbar.`,
      reply: (visitor) => `Wenn Sie auf diese E-Mail antworten, geht die Antwort an ${visitor}.`,
    },
    expiring: {
      subject: (animal) => `Die Anfrage für ${animal} verfällt morgen`,
      text: (visitor, animal, until) =>
        `${visitor} wartet noch auf Ihre Entscheidung. Ohne sie verfällt die Anfrage am ${until}, und ${animal} ist wieder verfügbar.`,
    },
    name: 'Name',
    contact: 'Kontakt',
    message: 'Nachricht',
    button: 'Über die Anfrage entscheiden',
    visitor: {
      subject: (store, animal) => `${store}: Ihre Anfrage für ${animal}`,
      heading: (animal) => `Ihre Anfrage für ${animal}`,
      received: (animal, store) => `Vielen Dank! ${store} hat Ihre Anfrage für ${animal} erhalten.`,
      held: (animal, until) => `${animal} ist bis ${until} für Sie reserviert.`,
      announced: 'Wir schreiben Ihnen an diese Adresse, sobald über Ihre Anfrage entschieden ist.',
      approved: (animal, store) => `Gute Nachrichten: ${store} hat Ihre Anfrage für ${animal} angenommen.`,
      arrange: (store) => `${store} bespricht mit Ihnen, wie es weitergeht.`,
      declined: (animal, store) => `Es tut uns leid: ${store} hat Ihre Anfrage für ${animal} abgelehnt.`,
      expired: (animal, store) =>
        `Es tut uns leid: ${store} hat nicht rechtzeitig über Ihre Anfrage für ${animal} entschieden. Sie ist verfallen, und ${animal} ist nicht mehr für Sie reserviert.`,
      again: (animal, store) =>
        `Wenn Sie sich weiterhin für ${animal} interessieren, reservieren Sie auf der Website von ${store} noch einmal.`,
      questions: (store) => `Wenn Sie Fragen haben, wenden Sie sich an ${store}:`,
      email: 'E-Mail',
      phone: 'Telefon',
      address: 'Adresse',
      footer: (store) =>
        `Sie erhalten diese E-Mail, weil Ihre Adresse bei einer Reservierung auf der Website von ${store} angegeben wurde. Wenn Sie das nicht waren, ignorieren Sie diese E-Mail.`,
    },
  },
  fr: {
    placed: {
      subject: (animal) => `Nouvelle demande pour ${animal}`,
      text: (visitor, animal) => `${visitor} souhaite avoir ${animal}.`,
      held: (animal, until) =>
        `${animal} est réservé jusqu’au ${until}. Sans décision d’ici là, la demande expire et l’animal redevient disponible.`,
      reply: (visitor) => `Si vous répondez à ce message, ${visitor} recevra votre réponse.`,
    },
    expiring: {
      subject: (animal) => `La demande pour ${animal} expire demain`,
      text: (visitor, animal, until) =>
        `${visitor} attend encore votre décision. Sans elle, la demande expirera le ${until} et ${animal} redeviendra disponible.`,
    },
    name: 'Nom',
    contact: 'Contact',
    message: 'Message',
    button: 'Décider de la demande',
    visitor: {
      subject: (store, animal) => `${store} : votre demande pour ${animal}`,
      heading: (animal) => `Votre demande pour ${animal}`,
      received: (animal, store) => `Merci ! ${store} a bien reçu votre demande pour ${animal}.`,
      held: (animal, until) => `${animal} vous est réservé jusqu’au ${until}.`,
      announced: 'Nous vous écrirons à cette adresse dès que votre demande aura été traitée.',
      approved: (animal, store) => `Bonne nouvelle : ${store} a accepté votre demande pour ${animal}.`,
      arrange: (store) => `${store} conviendra de la suite avec vous.`,
      declined: (animal, store) => `Nous sommes désolés : ${store} a refusé votre demande pour ${animal}.`,
      expired: (animal, store) =>
        `Nous sommes désolés : ${store} n’a pas répondu à temps à votre demande pour ${animal}. Elle a expiré, et ${animal} ne vous est plus réservé.`,
      again: (animal, store) =>
        `Si ${animal} vous intéresse toujours, faites une nouvelle réservation sur le site de ${store}.`,
      questions: (store) => `Pour toute question, contactez ${store} :`,
      email: 'E-mail',
      phone: 'Téléphone',
      address: 'Adresse',
      footer: (store) =>
        `Vous recevez ce message parce que votre adresse a été indiquée lors d’une réservation sur le site de ${store}. Si ce n’était pas vous, ignorez ce message.`,
    },
  },
  es: {
    placed: {
      subject: (animal) => `Nueva solicitud para ${animal}`,
      text: (visitor, animal) => `A ${visitor} le interesa ${animal}.`,
      held: (animal, until) =>
        `${animal} queda reservado hasta el ${until}. Si no se decide antes, la solicitud caduca y el animal vuelve a estar disponible.`,
      reply: (visitor) => `Si responde a este correo, ${visitor} recibirá su respuesta.`,
    },
    expiring: {
      subject: (animal) => `La solicitud para ${animal} caduca mañana`,
      text: (visitor, animal, until) =>
        `${visitor} sigue esperando su decisión. Sin ella, la solicitud caducará el ${until} y ${animal} volverá a estar disponible.`,
    },
    name: 'Nombre',
    contact: 'Contacto',
    message: 'Mensaje',
    button: 'Decidir sobre la solicitud',
    visitor: {
      subject: (store, animal) => `${store}: su solicitud para ${animal}`,
      heading: (animal) => `Su solicitud para ${animal}`,
      received: (animal, store) => `¡Gracias! ${store} ha recibido su solicitud para ${animal}.`,
      held: (animal, until) => `${animal} queda reservado para usted hasta el ${until}.`,
      announced: 'Le escribiremos a esta dirección cuando se decida sobre su solicitud.',
      approved: (animal, store) => `Buenas noticias: ${store} ha aceptado su solicitud para ${animal}.`,
      arrange: (store) => `${store} acordará con usted los próximos pasos.`,
      declined: (animal, store) => `Lo sentimos: ${store} ha rechazado su solicitud para ${animal}.`,
      expired: (animal, store) =>
        `Lo sentimos: ${store} no ha decidido a tiempo sobre su solicitud para ${animal}. Ha caducado, y ${animal} ya no está reservado para usted.`,
      again: (animal, store) => `Si todavía le interesa ${animal}, vuelva a reservar en el sitio de ${store}.`,
      questions: (store) => `Si tiene preguntas, póngase en contacto con ${store}:`,
      email: 'Correo electrónico',
      phone: 'Teléfono',
      address: 'Dirección',
      footer: (store) =>
        `Recibe este correo porque su dirección se indicó en una reserva en el sitio de ${store}. Si no fue usted, ignore este correo.`,
    },
  },
}
