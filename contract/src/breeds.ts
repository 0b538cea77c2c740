// What the name of a breed says besides the breed. For sites and the dashboard. Pure.

/** In the languages of the sites, and as parts of words: "Labradormix", "Schäferhund-Mischling". */
const MIX = /mix|mischling|kreuzung|\bcross|\bcrois[ée]|\bm[ée]tis|\bmestiz|\bcruce\b|\bcruzad/i

/** Whether it says itself that it is a mix, so that nothing has to be added: "Mix" is no "Mix-Mix". */
export const saysMix = (breed: string): boolean => MIX.test(breed)
