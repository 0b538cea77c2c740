// The texts of the first page, for a person who is not signed in and may never have heard of Petstore.

export const front = {
  title: 'Your animals, on a website of your own',
  lead: 'Petstore is for animal shelters, rescues, breeders and pet shops.',
  ways: 'Sign in or create an account',
  signUp: 'Create an account',
  signIn: 'Sign in',
  gets: 'What you get',
  points: {
    animals: {
      title: 'All your animals in one place',
      text: 'With their photos and stories. Add them one by one, or import a spreadsheet.',
    },
    site: {
      title: 'A website that is always up to date',
      text: 'Choose a look and a colour, and publish. What you change about an animal is on it within seconds.',
    },
    requests: {
      title: 'Requests from visitors',
      text: 'Visitors ask for an animal on your website. You answer, plan the visit and decide.',
    },
    domain: {
      title: 'Your own domain',
      text: 'Your website has an address from the start. On a paid plan, it can be at your own domain, with a certificate that renews automatically.',
    },
  },
}
