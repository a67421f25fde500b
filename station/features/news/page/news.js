// The news of the last step.

/** @type {PagePart} */
export const part = {
  happened({ news }, before) {
    if (!news || news.number === before.news?.number) return null;
    const { kind, text, boxes } = news;
    return { kind, text, keys: boxes.map(({ category, player }) => `${category}/${player}`) };
  },
};
