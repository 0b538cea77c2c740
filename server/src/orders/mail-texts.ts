// The texts of the mails about requests for animals, in the languages that a person or a site can
// choose.

import type { DeclineReason } from '@petstore-platform/contract/platform/orders'
import type { Language } from '@petstore-platform/contract/platform/site'

type ForVisitor = (animal: string, store: string) => string

type Texts = {
  placed: {
    subject: (animal: string) => string
    text: (visitor: string, animal: string) => string
    held: (animal: string, until: string) => string
    expires: (until: string) => string
    reply: (visitor: string) => string
  }
  waiting: {
    subject: (animal: string) => string
    text: (visitor: string, animal: string, until: string) => string
  }
  holdEnded: {
    subject: (animal: string) => string
    text: (visitor: string, animal: string) => string
  }
  withdrawn: {
    subject: (animal: string) => string
    text: (visitor: string, animal: string) => string
    /** Of a visitor who has deleted what they entered. */
    erased: (animal: string) => string
    /** If the animal was held for the request. */
    released: (animal: string) => string
    button: string
  }
  name: string
  contact: string
  message: string
  queue: string
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
    because: Readonly<Record<Exclude<DeclineReason, 'other'>, ForVisitor>>
    /** Marks what the store wrote itself. */
    said: (store: string) => string
    expired: ForVisitor
    again: (animal: string, store: string) => string
    visit: ForVisitor
    /** The visit in the calendar of the visitor. */
    calendar: ForVisitor
    when: string
    where: string
    /** To the visitor who took the animal. */
    completed: (animal: string) => string
    thanksTaken: (store: string) => string
    foundAHome: (animal: string) => string
    thanks: (animal: string, store: string) => string
    /** The link to the page of the request. */
    status: string
    /** If a reply to the mail goes to the store, and if not. */
    reply: (store: string) => string
    noReply: (store: string) => string
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
        `${animal} is held for this request until ${until}. Then the animal becomes available again, and the request stays open.`,
      expires: (until) => `Without an answer the request expires on ${until}.`,
      reply: (visitor) => `If you reply to this mail, ${visitor} gets your reply.`,
    },
    waiting: {
      subject: (animal) => `A request for ${animal} is waiting for you`,
      text: (visitor, animal, until) =>
        `${visitor} asked for ${animal}, and nothing has happened for three days. Without an answer the request expires on ${until}.`,
    },
    holdEnded: {
      subject: (animal) => `${animal} is available again`,
      text: (visitor, animal) =>
        `The hold of ${animal} for ${visitor} has ended, so ${animal} is available again. The request is still open.`,
    },
    withdrawn: {
      subject: (animal) => `A request for ${animal} was withdrawn`,
      text: (visitor, animal) =>
        `${visitor} no longer asks for ${animal}: the request was withdrawn on its page. There is nothing you need to do.`,
      erased: (animal) =>
        `A visitor has withdrawn a request for ${animal} and deleted what they had entered. There is nothing you need to do.`,
      released: (animal) => `${animal} was held for this request. The hold has ended.`,
      button: 'See the requests',
    },
    name: 'Name',
    contact: 'Contact',
    message: 'Message',
    queue: 'Place in the queue',
    button: 'Decide about the request',
    visitor: {
      subject: (store, animal) => `${store}: your request for ${animal}`,
      heading: (animal) => `Your request for ${animal}`,
      received: (animal, store) => `Thank you. ${store} has received your request for ${animal}.`,
      held: (animal, until) => `${animal} is reserved for you until ${until}.`,
      announced: 'We will write to you at this address when there is news.',
      approved: (animal, store) => `Good news: ${store} has approved your request for ${animal}.`,
      arrange: (store) => `${store} will arrange the next steps with you.`,
      declined: (animal, store) => `We are sorry: ${store} has declined your request for ${animal}.`,
      because: {
        other_visitor: (animal) => `Several people asked for ${animal}, and another home was chosen.`,
        not_a_match: (animal) =>
          `From what you wrote, ${animal} would probably be happier in a different home. Another animal may suit you better.`,
        not_ready: (animal) => `${animal} is not ready for a new home yet.`,
        no_contact: (animal, store) => `${store} could not reach you to talk about ${animal}.`,
      },
      said: (store) => `Message from ${store}`,
      expired: (animal, store) =>
        `We are sorry: ${store} has not answered your request for ${animal} in time. It has expired.`,
      again: (animal, store) => `If you are still interested in ${animal}, ask again on the site of ${store}.`,
      visit: (animal, store) => `${store} is looking forward to your visit to meet ${animal}.`,
      calendar: (animal, store) => `Visit: ${animal}, ${store}`,
      when: 'When',
      where: 'Where',
      completed: (animal) => `${animal} has found a home with you. We wish all of you a good start.`,
      thanksTaken: (store) => `Your request is complete. Thank you from ${store}.`,
      foundAHome: (animal) =>
        `${animal} has found a home with someone else. We know that you had hoped for other news.`,
      thanks: (animal, store) =>
        `Thank you for asking for ${animal}. Your request is closed; the site of ${store} shows who else is looking for a home.`,
      status: 'See your request',
      reply: (store) => `If you reply to this mail, ${store} gets your reply.`,
      noReply: (store) => `${store} does not receive replies to this mail.`,
      questions: (store) => `If you have questions, contact ${store}:`,
      email: 'Email',
      phone: 'Phone',
      address: 'Address',
      footer: (store) =>
        `You get this mail because your address was entered in a request on the site of ${store}. If that was not you, ignore this mail.`,
    },
  },
  de: {
    placed: {
      subject: (animal) => `Neue Anfrage für ${animal}`,
      text: (visitor, animal) => `${visitor} interessiert sich für ${animal}.`,
      held: (animal, until) =>
        `${animal} ist bis ${until} für diese Anfrage reserviert. Danach ist das Tier wieder verfügbar, und die Anfrage bleibt offen.`,
      expires: (until) => `Ohne Antwort verfällt die Anfrage am ${until}.`,
      reply: (visitor) => `Wenn Sie auf diese E-Mail antworten, geht die Antwort an ${visitor}.`,
    },
    waiting: {
      subject: (animal) => `Eine Anfrage für ${animal} wartet auf Sie`,
      text: (visitor, animal, until) =>
        `${visitor} hat nach ${animal} gefragt, und seit drei Tagen ist nichts geschehen. Ohne Antwort verfällt die Anfrage am ${until}.`,
    },
    holdEnded: {
      subject: (animal) => `${animal} ist wieder verfügbar`,
      text: (visitor, animal) =>
        `Die Reservierung von ${animal} für ${visitor} ist abgelaufen, und ${animal} ist wieder verfügbar. Die Anfrage ist noch offen.`,
    },
    withdrawn: {
      subject: (animal) => `Eine Anfrage für ${animal} wurde zurückgezogen`,
      text: (visitor, animal) =>
        `${visitor} fragt nicht mehr nach ${animal}: Die Anfrage wurde auf ihrer Seite zurückgezogen. Sie müssen nichts tun.`,
      erased: (animal) =>
        `Eine Anfrage für ${animal} wurde zurückgezogen, und die Angaben dazu wurden gelöscht. Sie müssen nichts tun.`,
      released: (animal) => `${animal} war für diese Anfrage reserviert. Die Reservierung ist beendet.`,
      button: 'Anfragen ansehen',
    },
    name: 'Name',
    contact: 'Kontakt',
    message: 'Nachricht',
    queue: 'Platz in der Reihe',
    button: 'Über die Anfrage entscheiden',
    visitor: {
      subject: (store, animal) => `${store}: Ihre Anfrage für ${animal}`,
      heading: (animal) => `Ihre Anfrage für ${animal}`,
      received: (animal, store) => `Vielen Dank! ${store} hat Ihre Anfrage für ${animal} erhalten.`,
      held: (animal, until) => `${animal} ist bis ${until} für Sie reserviert.`,
      announced: 'Wir schreiben Ihnen an diese Adresse, sobald es etwas Neues gibt.',
      approved: (animal, store) => `Gute Nachrichten: ${store} hat Ihre Anfrage für ${animal} angenommen.`,
      arrange: (store) => `${store} bespricht mit Ihnen, wie es weitergeht.`,
      declined: (animal, store) => `Es tut uns leid: ${store} hat Ihre Anfrage für ${animal} abgelehnt.`,
      because: {
        other_visitor: (animal) =>
          `Für ${animal} haben mehrere Menschen angefragt, und die Wahl fiel auf ein anderes Zuhause.`,
        not_a_match: (animal) =>
          `Nach Ihren Angaben wäre ${animal} in einem anderen Zuhause wohl glücklicher. Vielleicht passt ein anderes Tier besser zu Ihnen.`,
        not_ready: (animal) => `${animal} ist noch nicht so weit, in ein neues Zuhause zu ziehen.`,
        no_contact: (animal, store) => `${store} konnte Sie nicht erreichen, um über ${animal} zu sprechen.`,
      },
      said: (store) => `Nachricht von ${store}`,
      expired: (animal, store) =>
        `Es tut uns leid: ${store} hat Ihre Anfrage für ${animal} nicht rechtzeitig beantwortet. Sie ist verfallen.`,
      again: (animal, store) =>
        `Wenn Sie sich weiterhin für ${animal} interessieren, fragen Sie auf der Website von ${store} noch einmal.`,
      visit: (animal, store) => `${store} freut sich auf Ihren Besuch bei ${animal}.`,
      calendar: (animal, store) => `Besuch: ${animal}, ${store}`,
      when: 'Wann',
      where: 'Wo',
      completed: (animal) =>
        `${animal} hat bei Ihnen ein Zuhause gefunden. Wir wünschen Ihnen allen einen guten Start.`,
      thanksTaken: (store) => `Ihre Anfrage ist abgeschlossen. ${store} bedankt sich bei Ihnen.`,
      foundAHome: (animal) =>
        `${animal} hat bei anderen Menschen ein Zuhause gefunden. Wir wissen, dass Sie auf eine andere Nachricht gehofft hatten.`,
      thanks: (animal, store) =>
        `Danke, dass Sie nach ${animal} gefragt haben. Ihre Anfrage ist geschlossen; auf der Website von ${store} sehen Sie, wer noch ein Zuhause sucht.`,
      status: 'Anfrage ansehen',
      reply: (store) => `Wenn Sie auf diese E-Mail antworten, geht die Antwort an ${store}.`,
      noReply: (store) => `Antworten auf diese E-Mail gehen nicht an ${store}.`,
      questions: (store) => `Wenn Sie Fragen haben, wenden Sie sich an ${store}:`,
      email: 'E-Mail',
      phone: 'Telefon',
      address: 'Adresse',
      footer: (store) =>
        `Sie erhalten diese E-Mail, weil Ihre Adresse bei einer Anfrage auf der Website von ${store} angegeben wurde. Wenn Sie das nicht waren, ignorieren Sie diese E-Mail.`,
    },
  },
  fr: {
    placed: {
      subject: (animal) => `Nouvelle demande pour ${animal}`,
      text: (visitor, animal) => `${visitor} souhaite avoir ${animal}.`,
      held: (animal, until) =>
        `${animal} est réservé pour cette demande jusqu’au ${until}. L’animal redevient ensuite disponible, et la demande reste ouverte.`,
      expires: (until) => `Sans réponse, la demande expire le ${until}.`,
      reply: (visitor) => `Si vous répondez à ce message, ${visitor} recevra votre réponse.`,
    },
    waiting: {
      subject: (animal) => `Une demande pour ${animal} vous attend`,
      text: (visitor, animal, until) =>
        `${visitor} a demandé ${animal}, et rien ne s’est passé depuis trois jours. Sans réponse, la demande expirera le ${until}.`,
    },
    holdEnded: {
      subject: (animal) => `${animal} est de nouveau disponible`,
      text: (visitor, animal) =>
        `La réservation de ${animal} pour ${visitor} a pris fin : ${animal} est de nouveau disponible. La demande reste ouverte.`,
    },
    withdrawn: {
      subject: (animal) => `Une demande pour ${animal} a été retirée`,
      text: (visitor, animal) =>
        `${visitor} ne demande plus ${animal} : la demande a été retirée sur sa page. Vous n’avez rien à faire.`,
      erased: (animal) =>
        `Une demande pour ${animal} a été retirée, et les données saisies ont été effacées. Vous n’avez rien à faire.`,
      released: (animal) => `${animal} était réservé pour cette demande. La réservation a pris fin.`,
      button: 'Voir les demandes',
    },
    name: 'Nom',
    contact: 'Contact',
    message: 'Message',
    queue: 'Place dans la file',
    button: 'Décider de la demande',
    visitor: {
      subject: (store, animal) => `${store} : votre demande pour ${animal}`,
      heading: (animal) => `Votre demande pour ${animal}`,
      received: (animal, store) => `Merci ! ${store} a bien reçu votre demande pour ${animal}.`,
      held: (animal, until) => `${animal} vous est réservé jusqu’au ${until}.`,
      announced: 'Nous vous écrirons à cette adresse dès qu’il y aura du nouveau.',
      approved: (animal, store) => `Bonne nouvelle : ${store} a accepté votre demande pour ${animal}.`,
      arrange: (store) => `${store} conviendra de la suite avec vous.`,
      declined: (animal, store) => `Nous sommes désolés : ${store} a refusé votre demande pour ${animal}.`,
      because: {
        other_visitor: (animal) => `Plusieurs personnes ont demandé ${animal}, et un autre foyer a été choisi.`,
        not_a_match: (animal) =>
          `D’après ce que vous avez écrit, ${animal} serait sans doute plus heureux dans un autre foyer. Un autre animal vous conviendra peut-être mieux.`,
        not_ready: (animal) => `Il est encore trop tôt pour que ${animal} change de foyer.`,
        no_contact: (animal, store) => `${store} n’a pas réussi à vous joindre pour parler de ${animal}.`,
      },
      said: (store) => `Message de ${store}`,
      expired: (animal, store) =>
        `Nous sommes désolés : ${store} n’a pas répondu à temps à votre demande pour ${animal}. Elle a expiré.`,
      again: (animal, store) =>
        `Si ${animal} vous intéresse toujours, faites une nouvelle demande sur le site de ${store}.`,
      visit: (animal, store) => `${store} se réjouit de votre visite pour rencontrer ${animal}.`,
      calendar: (animal, store) => `Visite : ${animal}, ${store}`,
      when: 'Quand',
      where: 'Où',
      completed: (animal) => `${animal} a trouvé un foyer chez vous. Nous vous souhaitons à tous un bon départ.`,
      thanksTaken: (store) => `Votre demande est terminée. ${store} vous remercie.`,
      foundAHome: (animal) =>
        `${animal} a trouvé un foyer chez d’autres personnes. Nous savons que vous espériez une autre nouvelle.`,
      thanks: (animal, store) =>
        `Merci d’avoir demandé ${animal}. Votre demande est close ; le site de ${store} montre qui cherche encore un foyer.`,
      status: 'Voir votre demande',
      reply: (store) => `Si vous répondez à ce message, ${store} recevra votre réponse.`,
      noReply: (store) => `${store} ne reçoit pas les réponses à ce message.`,
      questions: (store) => `Pour toute question, contactez ${store} :`,
      email: 'E-mail',
      phone: 'Téléphone',
      address: 'Adresse',
      footer: (store) =>
        `Vous recevez ce message parce que votre adresse a été indiquée lors d’une demande sur le site de ${store}. Si ce n’était pas vous, ignorez ce message.`,
    },
  },
  es: {
    placed: {
      subject: (animal) => `Nueva solicitud para ${animal}`,
      text: (visitor, animal) => `A ${visitor} le interesa ${animal}.`,
      held: (animal, until) =>
        `${animal} queda reservado para esta solicitud hasta el ${until}. Después el animal vuelve a estar disponible y la solicitud sigue abierta.`,
      expires: (until) => `Sin respuesta, la solicitud caduca el ${until}.`,
      reply: (visitor) => `Si responde a este correo, ${visitor} recibirá su respuesta.`,
    },
    waiting: {
      subject: (animal) => `Una solicitud para ${animal} le espera`,
      text: (visitor, animal, until) =>
        `${visitor} ha preguntado por ${animal} y desde hace tres días no ha pasado nada. Sin respuesta, la solicitud caducará el ${until}.`,
    },
    holdEnded: {
      subject: (animal) => `${animal} vuelve a estar disponible`,
      text: (visitor, animal) =>
        `La reserva de ${animal} para ${visitor} ha terminado y ${animal} vuelve a estar disponible. La solicitud sigue abierta.`,
    },
    withdrawn: {
      subject: (animal) => `Se ha retirado una solicitud para ${animal}`,
      text: (visitor, animal) =>
        `${visitor} ya no pregunta por ${animal}: la solicitud se ha retirado en su página. No tiene que hacer nada.`,
      erased: (animal) =>
        `Se ha retirado una solicitud para ${animal} y se han borrado los datos introducidos. No tiene que hacer nada.`,
      released: (animal) => `${animal} estaba reservado para esta solicitud. La reserva ha terminado.`,
      button: 'Ver las solicitudes',
    },
    name: 'Nombre',
    contact: 'Contacto',
    message: 'Mensaje',
    queue: 'Puesto en la cola',
    button: 'Decidir sobre la solicitud',
    visitor: {
      subject: (store, animal) => `${store}: su solicitud para ${animal}`,
      heading: (animal) => `Su solicitud para ${animal}`,
      received: (animal, store) => `¡Gracias! ${store} ha recibido su solicitud para ${animal}.`,
      held: (animal, until) => `${animal} queda reservado para usted hasta el ${until}.`,
      announced: 'Le escribiremos a esta dirección cuando haya novedades.',
      approved: (animal, store) => `Buenas noticias: ${store} ha aceptado su solicitud para ${animal}.`,
      arrange: (store) => `${store} acordará con usted los próximos pasos.`,
      declined: (animal, store) => `Lo sentimos: ${store} ha rechazado su solicitud para ${animal}.`,
      because: {
        other_visitor: (animal) => `Varias personas preguntaron por ${animal}, y se eligió otro hogar.`,
        not_a_match: (animal) =>
          `Por lo que nos contó, ${animal} estaría probablemente mejor en otro hogar. Quizá otro animal encaje mejor con usted.`,
        not_ready: (animal) => `Todavía es pronto para que ${animal} cambie de hogar.`,
        no_contact: (animal, store) => `${store} no consiguió ponerse en contacto con usted para hablar de ${animal}.`,
      },
      said: (store) => `Mensaje de ${store}`,
      expired: (animal, store) =>
        `Lo sentimos: ${store} no ha respondido a tiempo a su solicitud para ${animal}. Ha caducado.`,
      again: (animal, store) => `Si todavía le interesa ${animal}, vuelva a preguntar en el sitio de ${store}.`,
      visit: (animal, store) => `${store} espera con ilusión su visita para conocer a ${animal}.`,
      calendar: (animal, store) => `Visita: ${animal}, ${store}`,
      when: 'Cuándo',
      where: 'Dónde',
      completed: (animal) => `${animal} ha encontrado un hogar con usted. Les deseamos un buen comienzo.`,
      thanksTaken: (store) => `Su solicitud está completada. ${store} le da las gracias.`,
      foundAHome: (animal) =>
        `${animal} ha encontrado un hogar con otras personas. Sabemos que usted esperaba otra noticia.`,
      thanks: (animal, store) =>
        `Gracias por preguntar por ${animal}. Su solicitud está cerrada; el sitio de ${store} muestra quién más busca un hogar.`,
      status: 'Ver su solicitud',
      reply: (store) => `Si responde a este correo, ${store} recibirá su respuesta.`,
      noReply: (store) => `${store} no recibe las respuestas a este correo.`,
      questions: (store) => `Si tiene preguntas, póngase en contacto con ${store}:`,
      email: 'Correo electrónico',
      phone: 'Teléfono',
      address: 'Dirección',
      footer: (store) =>
        `Recibe este correo porque su dirección se indicó en una solicitud en el sitio de ${store}. Si no fue usted, ignore este correo.`,
    },
  },
}
