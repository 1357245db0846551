console.log("bundle");
