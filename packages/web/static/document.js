/** A link to a block that stands inside another one: the server knows where. */
const block = /^#(?:block=)?(block_\w+)$/.exec(location.hash)?.[1];
if (block && !document.getElementById(block) && !new URLSearchParams(location.search).has("block"))
  location.replace(`?block=${block}#${block}`);
